import com.fasterxml.jackson.databind.JsonNode;
import io.temporal.client.UpdateOptions;
import io.temporal.client.WorkflowUpdateStage;
import java.util.List;
import java.util.Map;

class RetryPayout {
  public static void main(String[] args) {
    var workflowId = "payout-" + args[0];
    var payout = Connect.connect().newUntypedWorkflowStub(workflowId);
    var failed = payout.query("state", JsonNode.class).get("attempts").size();
    // It names the attempt that has failed: the command, sent again under the same id, is executed once.
    var retry =
        UpdateOptions.newBuilder(JsonNode.class)
            .setUpdateName("retryPayout")
            .setUpdateId("retry-" + failed)
            .setWaitForStage(WorkflowUpdateStage.COMPLETED)
            .build();
    var corrections = Map.of("pix", args[1]);
    payout
        .startUpdate(retry, Map.of("attempt", failed, "corrections", corrections, "reason", "wrong key", "by", "oms"))
        .getResult();
    var wait = Map.of("statuses", List.of("done", "error"), "timeout_seconds", 30);
    var state = payout.update("awaitStatus", JsonNode.class, wait);
    var attempts = state.get("attempts").size();
    System.out.println(workflowId + ": " + state.get("status").asText() + " at attempt " + attempts);
  }
}
