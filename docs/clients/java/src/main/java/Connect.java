import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.common.converter.CodecDataConverter;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.net.http.HttpClient;
import java.util.List;

class Connect {
  static WorkflowClient connect() {
    var target = env("TEMPORAL_ADDRESS", "127.0.0.1:7233");
    var service = WorkflowServiceStubs.newServiceStubs(WorkflowServiceStubsOptions.newBuilder().setTarget(target).build());
    var codec = new RemoteCodec(HttpClient.newHttpClient(), env("CODEC_ENDPOINT", ""), env("CODEC_AUTH", null));
    var options =
        WorkflowClientOptions.newBuilder()
            .setNamespace(env("TEMPORAL_NAMESPACE", "default"))
            .setDataConverter(new CodecDataConverter(DefaultDataConverter.newDefaultInstance(), List.of(codec)));
    return WorkflowClient.newInstance(service, options.build());
  }

  static String env(String name, String otherwise) {
    return System.getenv().getOrDefault(name, otherwise);
  }
}
