package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.millrace.rabbitmq.RabbitSettings;
import io.millrace.rabbitmq.RabbitTransport;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests the state of a queue and its dead letters with a real broker. */
final class RabbitChannelsTest {

  private static final String VARIABLE = "MILLRACE_TEST_RABBITMQ_URI";

  private final String mark = UUID.randomUUID().toString().substring(0, 8);
  private final String exchange = "api-" + mark;
  private final String channel = "API." + mark;

  @Test
  void aMessageOfNobodyBecomesADeadLetterThatCanBeMovedBack() throws Exception {
    String uri = System.getenv(VARIABLE);
    assertThat(uri).as(VARIABLE + " names a broker for tests; script/test starts one").isNotNull();
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(uri);
    try (Connection connection = factory.newConnection("test");
        Channel plain = connection.createChannel();
        RabbitTransport transport =
            RabbitTransport.open(RabbitSettings.of(uri).exchange(exchange));
        TestServer server = TestServer.withChannels(transport)) {
      ApiTestClient apiTestClient = new ApiTestClient(server.port());
      server.sequences().tasks().add(Task.of("SEND", "Post").component("COUNT").channel(channel));
      server
          .sequences()
          .add(
              TaskSequence.of("post", "Post", Schedule.of(Frequency.DAILY))
                  .task("SEND")
                  .active(false));
      server.awaitSooner(() -> state(apiTestClient).get("consumers").asInt(0) == 1);

      plain.basicPublish(
          exchange, channel, null, "{\"executionId\":1}".getBytes(StandardCharsets.UTF_8));
      server.awaitSooner(() -> state(apiTestClient).get("deadLetters").asInt(0) == 1);

      JsonNode letter = apiTestClient.get(path() + "/dead-letters").json().get(0);
      assertThat(letter.get("body").stringValue()).isEqualTo("{\"executionId\":1}");
      assertThat(letter.get("reason").stringValue()).contains("workflowId");
      assertThat(
              apiTestClient
                  .post(path() + "/requeue", Map.of("limit", 10))
                  .json()
                  .get("moved")
                  .intValue())
          .isEqualTo(1);
      server.awaitSooner(() -> apiTestClient.get(path() + "/dead-letters").json().size() == 1);
      delete(connection);
    }
  }

  private String path() {
    return "/api/v1/channels/" + channel;
  }

  private JsonNode state(ApiTestClient apiTestClient) {
    return apiTestClient
        .get("/api/v1/channels")
        .json()
        .get("channels")
        .valueStream()
        .filter(one -> one.get("channel").stringValue().equals(channel))
        .findFirst()
        .orElseThrow();
  }

  private void delete(Connection connection) throws Exception {
    try (Channel last = connection.createChannel()) {
      String queue = channel.replace('.', '_');
      last.queueDelete(queue);
      last.queueDelete(queue + ".dead");
      last.exchangeDelete(exchange);
      last.exchangeDelete(exchange + ".dead");
    }
  }
}
