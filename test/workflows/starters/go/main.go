// Starts a workflow by its type with every default of the SDK: address, namespace, type, workflow id, task queue, input as JSON.
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		log.Println(temporal.SDKVersion)
		return
	}
	address, namespace, workflowType := os.Args[1], os.Args[2], os.Args[3]
	workflowID, taskQueue, input := os.Args[4], os.Args[5], os.Args[6]
	connected, err := client.Dial(client.Options{HostPort: address, Namespace: namespace})
	if err != nil {
		log.Fatal(err)
	}
	defer connected.Close()
	options := client.StartWorkflowOptions{ID: workflowID, TaskQueue: taskQueue}
	if _, err := connected.ExecuteWorkflow(context.Background(), options, workflowType, json.RawMessage(input)); err != nil {
		log.Fatal(err)
	}
}
