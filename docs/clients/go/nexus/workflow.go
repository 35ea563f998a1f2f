package main

import (
	"example.com/payments/payments"
	"go.temporal.io/sdk/workflow"
)

type fields = map[string]any

// payRent pays, and once more with another pix key when that has failed. Each step may be repeated, and pays once.
func payRent(ctx workflow.Context, code, pix, otherPix string) (outcome string, err error) {
	service := workflow.NewNexusClient("payments-oms", "payments")
	call := func(operation string, input fields) (state payments.State) {
		if err == nil {
			err = service.ExecuteOperation(ctx, operation, input, workflow.NexusOperationOptions{}).Get(ctx, &state)
		}
		return state
	}
	call("startPayout", fields{
		"method": "pix", "partner_code": code, "value": 150.5, "pix": pix,
		"first_name": "Ana", "last_name": "Lima", "document": "52998224725",
	})
	state := call("awaitOutcome", fields{"kind": "payout", "partner_code": code})
	if state.Attention != nil && *state.Attention == "payout_failed" {
		call("retryPayout", fields{
			"partner_code": code, "attempt": 1, "corrections": fields{"pix": otherPix}, "reason": "wrong key",
		})
		state = call("awaitOutcome", fields{"kind": "payout", "partner_code": code})
	}
	if state.Attention != nil {
		return *state.Attention, err
	}
	return state.Status, err
}
