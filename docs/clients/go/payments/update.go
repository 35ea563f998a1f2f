package payments

import (
	"context"
	"log"

	"go.temporal.io/sdk/client"
)

// Update sends a command and answers the state that follows from it. Sent again under the same id, it is executed once.
func Update(temporal client.Client, workflowID, name, updateID string, message any) State {
	handle := Must(temporal.UpdateWorkflow(context.Background(), client.UpdateWorkflowOptions{
		WorkflowID:   workflowID,
		UpdateName:   name,
		UpdateID:     updateID,
		Args:         []any{message},
		WaitForStage: client.WorkflowUpdateStageCompleted,
	}))
	var state State
	Check(handle.Get(context.Background(), &state))
	return state
}

// Must ends the program on an error; yours has something better to do.
func Must[T any](value T, err error) T {
	Check(err)
	return value
}

func Check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
