package main

import (
	"context"
	"fmt"
	"os"

	"example.com/payments/payments"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
)

func main() {
	partnerCode, pix, otherPix := os.Args[1], os.Args[2], os.Args[3]
	// TEMPORAL_NAMESPACE is the caller's own; payments has another one.
	temporal := payments.Connect()
	defer temporal.Close()

	oms := worker.New(temporal, "oms", worker.Options{})
	oms.RegisterWorkflow(payRent)
	payments.Check(oms.Start())

	options := client.StartWorkflowOptions{ID: "rent-" + partnerCode, TaskQueue: "oms"}
	run := payments.Must(
		temporal.ExecuteWorkflow(context.Background(), options, payRent, partnerCode, pix, otherPix))
	var outcome string
	payments.Check(run.Get(context.Background(), &outcome))
	oms.Stop()
	fmt.Printf("%s: %s\n", run.GetID(), outcome)
}
