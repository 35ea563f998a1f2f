import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;

class Batch {
  static final HttpClient HTTP = HttpClient.newHttpClient();
  static final String BATCHES = Connect.env("GATEWAY_URL", "http://127.0.0.1:8080") + "/v1/payout-batches";

  public static void main(String[] args) throws Exception {
    var batchId = args[0];
    // Sent again after a timeout, it starts nothing twice.
    var rows = HttpRequest.BodyPublishers.ofFile(Path.of(args[1]));
    var batch = answer(HttpRequest.newBuilder(URI.create(BATCHES + "?batch_id=" + batchId)).POST(rows));
    for (int seconds = 0; seconds < 120; seconds += 2) {
      batch = answer(HttpRequest.newBuilder(URI.create(BATCHES + "/" + batchId + "?payouts=true")));
      var payouts = batch.get("payouts");
      var known = payouts.path("done").asInt() + payouts.path("error").asInt();
      var started = batch.get("rows").asInt() - batch.get("error_count").asInt();
      if (!batch.get("status").asText().equals("starting") && known == started) break;
      Thread.sleep(2_000);
    }
    var failed = batch.get("error_count") + " not started";
    System.out.println(batchId + ": " + batch.get("status").asText() + ", " + batch.get("payouts") + ", " + failed);
  }

  static JsonNode answer(HttpRequest.Builder request) throws Exception {
    request.header("Authorization", "Bearer " + System.getenv("API_KEY")).header("Content-Type", "text/csv");
    var response = HTTP.send(request.build(), BodyHandlers.ofString());
    if (response.statusCode() >= 300) throw new IllegalStateException(response.body());
    return new ObjectMapper().readTree(response.body());
  }
}
