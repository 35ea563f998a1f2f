package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"example.com/payments/payments"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
)

func main() {
	partnerCode, pix := os.Args[1], os.Args[2]
	temporal := payments.Connect()
	defer temporal.Close()

	// No timeout, no retry policy: the workflow refuses to pay with either. Sent again, it finds the payout that is there.
	run := payments.Must(temporal.ExecuteWorkflow(context.Background(), client.StartWorkflowOptions{
		ID:                    "payout-" + partnerCode,
		TaskQueue:             "payments",
		WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE,
	}, "payout", map[string]any{
		"method": "pix", "partner_code": partnerCode, "value": 150.5, "pix": pix,
		"first_name": "Ana", "last_name": "Lima", "document": "52998224725",
	}))
	wait := map[string]any{"statuses": []string{"done", "error", "rejected"}, "timeout_seconds": 30}
	state := payments.Update(temporal, run.GetID(), "awaitStatus", "", wait)
	if state.Value != 150.5 {
		log.Fatalf("%s is another payout, of %.2f", run.GetID(), state.Value)
	}
	fmt.Printf("%s: %s\n", run.GetID(), state.Status)
}
