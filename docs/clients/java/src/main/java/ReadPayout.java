import com.fasterxml.jackson.databind.JsonNode;

class ReadPayout {
  public static void main(String[] args) {
    var workflowId = "payout-" + args[0];
    // Answers for closed payments too. What comes back is encrypted, and decrypted by RemoteCodec.
    var state = Connect.connect().newUntypedWorkflowStub(workflowId).query("state", JsonNode.class);
    var attention = state.get("attention").asText();
    var value = state.get("value").decimalValue();
    System.out.printf("%s: %s, attention %s, %.2f reais%n", workflowId, state.get("status").asText(), attention, value);
  }
}
