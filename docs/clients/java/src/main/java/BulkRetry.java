import com.fasterxml.jackson.databind.JsonNode;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.client.WorkflowOptions;
import java.util.List;
import java.util.Map;

class BulkRetry {
  public static void main(String[] args) throws InterruptedException {
    var workflowId = "bulk-retry-" + args[0];
    var options =
        WorkflowOptions.newBuilder()
            .setWorkflowId(workflowId)
            .setTaskQueue("payments")
            .setWorkflowIdReusePolicy(WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE)
            .build();
    var bulkRetry = Connect.connect().newUntypedWorkflowStub("bulkRetry", options);
    var filter = Map.of("batch_id", args[1]);
    try {
      bulkRetry.start(
          Map.of("bulk_retry_id", args[0], "filter", filter, "reason", "the bank was down", "by", "oms"));
    } catch (WorkflowExecutionAlreadyStarted repeated) {
      // It is there already, and goes on.
    }
    var state = bulkRetry.query("state", JsonNode.class);
    // It stops by itself when too many fail again; then an operator decides.
    while (!List.of("finished", "stopped", "paused").contains(state.get("status").asText())) {
      Thread.sleep(2_000);
      state = bulkRetry.query("state", JsonNode.class);
    }
    System.out.println(workflowId + ": " + state.get("status").asText() + ", " + state.get("counts"));
  }
}
