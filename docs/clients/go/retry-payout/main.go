package main

import (
	"context"
	"fmt"
	"os"

	"example.com/payments/payments"
)

func main() {
	workflowID, pix := "payout-"+os.Args[1], os.Args[2]
	temporal := payments.Connect()
	defer temporal.Close()

	var state payments.State
	answer := payments.Must(temporal.QueryWorkflow(context.Background(), workflowID, "", "state"))
	payments.Check(answer.Get(&state))
	failed := len(state.Attempts)
	// It names the attempt that has failed: the command, sent again under the same id, is executed once.
	payments.Update(temporal, workflowID, "retryPayout", fmt.Sprintf("retry-%d", failed), map[string]any{
		"attempt": failed, "corrections": map[string]string{"pix": pix}, "reason": "wrong key", "by": "oms",
	})
	wait := map[string]any{"statuses": []string{"done", "error"}, "timeout_seconds": 30}
	state = payments.Update(temporal, workflowID, "awaitStatus", "", wait)
	fmt.Printf("%s: %s at attempt %d\n", workflowID, state.Status, len(state.Attempts))
}
