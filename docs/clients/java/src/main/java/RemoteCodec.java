import com.google.protobuf.util.JsonFormat;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.common.v1.Payloads;
import io.temporal.payload.codec.PayloadCodec;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;

/** Has payloads encrypted and decrypted by a codec endpoint, so that no key is needed here. */
record RemoteCodec(HttpClient http, String endpoint, String auth) implements PayloadCodec {
  @Override
  public List<Payload> encode(List<Payload> payloads) {
    return convert("encode", payloads);
  }

  @Override
  public List<Payload> decode(List<Payload> payloads) {
    return convert("decode", payloads);
  }

  private List<Payload> convert(String verb, List<Payload> payloads) {
    try {
      var body = JsonFormat.printer().print(Payloads.newBuilder().addAllPayloads(payloads));
      var request = HttpRequest.newBuilder(URI.create(endpoint + "/" + verb)).header("Content-Type", "application/json");
      if (auth != null) request.header("Authorization", auth);
      var answer = http.send(request.POST(HttpRequest.BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
      if (answer.statusCode() != 200) throw new IllegalStateException(answer.body());
      var converted = Payloads.newBuilder();
      JsonFormat.parser().merge(answer.body(), converted);
      return converted.getPayloadsList();
    } catch (java.io.IOException | InterruptedException error) {
      throw new IllegalStateException("The codec endpoint does not answer.", error);
    }
  }
}
