package main

import (
	"fmt"
	"os"
	"time"

	"example.com/payments/payments"
)

func main() {
	batchID, file := os.Args[1], payments.Must(os.Open(os.Args[2]))
	var batch struct {
		Status     string
		Rows       int
		ErrorCount int `json:"error_count"`
		Payouts    map[string]int
	}
	// Sent again after a timeout, it starts nothing twice.
	payments.Gateway("POST", "/v1/payout-batches?batch_id="+batchID, file, &batch)
	for range 60 {
		batch.Payouts = nil // Or else what is read would be added to it.
		payments.Gateway("GET", "/v1/payout-batches/"+batchID+"?payouts=true", nil, &batch)
		final := batch.Payouts["done"] + batch.Payouts["error"]
		if batch.Status != "starting" && final == batch.Rows-batch.ErrorCount {
			break
		}
		time.Sleep(2 * time.Second)
	}
	fmt.Printf("%s: %s, %v, %d not started\n", batchID, batch.Status, batch.Payouts, batch.ErrorCount)
}
