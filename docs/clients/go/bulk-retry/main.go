package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"example.com/payments/payments"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
)

func main() {
	bulkRetryID, batchID := os.Args[1], os.Args[2]
	temporal := payments.Connect()
	defer temporal.Close()

	run := payments.Must(temporal.ExecuteWorkflow(context.Background(), client.StartWorkflowOptions{
		ID:                    "bulk-retry-" + bulkRetryID,
		TaskQueue:             "payments",
		WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE,
	}, "bulkRetry", map[string]any{
		"bulk_retry_id": bulkRetryID, "filter": map[string]string{"batch_id": batchID},
		"reason": "the bank was down", "by": "oms",
	}))
	var state struct {
		Status string
		Counts map[string]int
	}
	// It stops by itself when too many fail again; then an operator decides.
	for !slices.Contains([]string{"finished", "stopped", "paused"}, state.Status) {
		time.Sleep(2 * time.Second)
		answer := payments.Must(temporal.QueryWorkflow(context.Background(), run.GetID(), "", "state"))
		payments.Check(answer.Get(&state))
	}
	fmt.Printf("%s: %s, %v\n", run.GetID(), state.Status, state.Counts)
}
