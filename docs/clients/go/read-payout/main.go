package main

import (
	"context"
	"fmt"
	"os"

	"example.com/payments/payments"
)

func main() {
	workflowID := "payout-" + os.Args[1]
	temporal := payments.Connect()
	defer temporal.Close()

	// Answers for closed payments too. What comes back is encrypted, and decrypted by the codec endpoint.
	answer := payments.Must(temporal.QueryWorkflow(context.Background(), workflowID, "", "state"))
	var state payments.State
	payments.Check(answer.Get(&state))
	attention := "none"
	if state.Attention != nil {
		attention = *state.Attention
	}
	fmt.Printf("%s: %s, attention %s, %.2f reais\n", workflowID, state.Status, attention, state.Value)
}
