import com.fasterxml.jackson.databind.JsonNode;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.client.WorkflowOptions;
import java.util.List;
import java.util.Map;

class StartPayout {
  public static void main(String[] args) {
    var workflowId = "payout-" + args[0];
    // No timeout, no retry policy: the workflow refuses to pay with either.
    var options =
        WorkflowOptions.newBuilder()
            .setWorkflowId(workflowId)
            .setTaskQueue("payments")
            .setWorkflowIdReusePolicy(WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE)
            .build();
    var payout = Connect.connect().newUntypedWorkflowStub("payout", options);
    try {
      payout.start(
          Map.of(
              "method", "pix", "partner_code", args[0], "value", 150.5, "pix", args[1],
              "first_name", "Ana", "last_name", "Lima", "document", "52998224725"));
    } catch (WorkflowExecutionAlreadyStarted repeated) {
      // It is there already: below it shows whether it is this one.
    }
    var wait = Map.of("statuses", List.of("done", "error", "rejected"), "timeout_seconds", 30);
    var state = payout.update("awaitStatus", JsonNode.class, wait);
    if (state.get("value").asDouble() != 150.5) throw new IllegalStateException(workflowId + " is another payout");
    System.out.println(workflowId + ": " + state.get("status").asText());
  }
}
