package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.sequence.ChannelException;
import io.millrace.sequence.ChannelTransport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests the channels of tasks, with and without a broker, and while it is unavailable. */
final class ChannelResourceTest {

  private static final String ALL = "/api/v1/channels";
  private static final String MAIL = ALL + "/count.mail";

  @Test
  void withoutABrokerNothingIsKnownOfQueues() {
    try (TestServer server = TestServer.inMemory()) {
      ApiTestClient apiTestClient = new ApiTestClient(server.port());
      JsonNode all = apiTestClient.get(ALL).json();
      assertThat(all.get("transport").stringValue()).isEqualTo("in-process");
      assertThat(all.get("problem").isNull()).isTrue();
      JsonNode mail = all.get("channels").get(0);
      assertThat(mail.get("channel").stringValue()).isEqualTo("count.mail");
      assertThat(mail.get("tasks").get(0).stringValue()).isEqualTo("MAIL");
      assertThat(mail.get("ready").isNull()).isTrue();
      assertThat(apiTestClient.get(MAIL + "/dead-letters").json()).isEmpty();
      assertThat(requeue(apiTestClient, 5).json().get("moved").intValue()).isZero();
    }
  }

  @Test
  void theStateOfTheQueuesIsShownAndDeadLettersAreMovedBack() {
    Fake transport = new Fake();
    try (TestServer server = TestServer.withChannels(transport)) {
      ApiTestClient apiTestClient = new ApiTestClient(server.port());
      JsonNode all = apiTestClient.get(ALL).json();
      assertThat(all.get("transport").stringValue()).isEqualTo("fake");
      assertThat(all.get("channels").get(0).get("ready").intValue()).isEqualTo(7);
      assertThat(all.get("channels").get(0).get("deadLetters").intValue()).isEqualTo(3);
      JsonNode letters = apiTestClient.get(MAIL + "/dead-letters?limit=2").json();
      assertThat(letters).hasSize(2);
      assertThat(letters.get(0).get("body").stringValue()).contains("\"n\":1");
      assertThat(letters.toString()).doesNotContain("canary");
      assertThat(letters.get(0).get("reason").stringValue()).isEqualTo("unknown execution");
      assertThat(requeue(apiTestClient, 2).json().get("moved").intValue()).isEqualTo(2);
      assertThat(apiTestClient.get(ALL).json().get("channels").get(0).get("deadLetters").intValue())
          .isEqualTo(1);
      JsonNode audit =
          apiTestClient.get("/api/v1/audit?action=requeueDeadLetters").json().get("items").get(0);
      assertThat(audit.get("target").stringValue()).isEqualTo("count.mail");
      assertThat(audit.get("detail").stringValue()).isEqualTo("{\"moved\":2}");
      assertThat(apiTestClient.get(ALL + "/none/dead-letters").status()).isEqualTo(404);
      assertThat(apiTestClient.post(ALL + "/none/requeue", Map.of("limit", 1)).status())
          .isEqualTo(404);
      assertThat(apiTestClient.post(MAIL + "/requeue", Map.of()).status()).isEqualTo(400);
      assertThat(requeue(apiTestClient, 10_001).status()).isEqualTo(400);
      assertThat(apiTestClient.get(MAIL + "/dead-letters?limit=101").status()).isEqualTo(400);
    }
  }

  @Test
  void deadLettersOutliveTheLastTaskOfTheirChannel() {
    Fake transport = new Fake();
    try (TestServer server = TestServer.withChannels(transport)) {
      ApiTestClient apiTestClient = new ApiTestClient(server.port());
      assertThat(apiTestClient.get(ALL + "/count.old/dead-letters").json()).hasSize(3);
      ApiTestClient.Reply moved =
          apiTestClient.post(ALL + "/count.old/requeue", Map.of("limit", 3));
      assertThat(moved.json().get("moved").intValue()).isEqualTo(3);
      assertThat(apiTestClient.get(ALL + "/count.old/dead-letters").status()).isEqualTo(404);
      transport.away = true;
      assertThat(apiTestClient.get(ALL + "/count.old/dead-letters").status()).isEqualTo(503);
    }
  }

  @Test
  void aBrokerThatIsAwayIsTold() {
    Fake transport = new Fake();
    transport.away = true;
    try (TestServer server = TestServer.withChannels(transport)) {
      ApiTestClient apiTestClient = new ApiTestClient(server.port());
      JsonNode all = apiTestClient.get(ALL).json();
      assertThat(all.get("problem").stringValue()).contains("away");
      assertThat(all.get("channels").get(0).get("ready").isNull()).isTrue();
      assertThat(transport.asked).hasSize(1);
      ApiTestClient.Reply letters = apiTestClient.get(MAIL + "/dead-letters");
      assertThat(letters.status()).isEqualTo(503);
      assertThat(letters.header("Retry-After")).isNotEmpty();
      assertThat(requeue(apiTestClient, 1).status()).isEqualTo(503);
      assertThat(apiTestClient.get("/api/v1/audit?action=requeueDeadLetters").json().get("items"))
          .isEmpty();
    }
  }

  private static ApiTestClient.Reply requeue(ApiTestClient apiTestClient, int limit) {
    return apiTestClient.post(MAIL + "/requeue", Map.of("limit", limit, "reason", "mended"));
  }

  /**
   * A broker with a queue of seven messages and three dead letters, which can become unavailable.
   */
  private static final class Fake implements ChannelTransport {

    volatile boolean away;
    final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    private int deadLetters = 3;

    private void ask(String channel) {
      asked.add(channel);
      if (away) {
        throw new ChannelException("The broker is away.", null);
      }
    }

    @Override
    public String name() {
      return "fake";
    }

    @Override
    public List<String> publish(List<Outgoing> messages) {
      return messages.stream().map(message -> "nobody listens").toList();
    }

    @Override
    public Subscription subscribe(String channel, int concurrency, Receiver receiver) {
      return new Subscription() {
        @Override
        public boolean isConnected() {
          return false;
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public QueueStatus queueStatus(String channel) {
      ask(channel);
      return channel.equals("none")
          ? new QueueStatus(channel, 0, 0, 0)
          : new QueueStatus(channel, 7, 2, deadLetters);
    }

    @Override
    public List<DeadLetter> deadLetters(String channel, int limit) {
      ask(channel);
      return Collections.nCopies(
          Math.min(limit, deadLetters),
          new DeadLetter(channel, "{\"iban\":\"canary\",\"n\":1}", null, "unknown execution"));
    }

    @Override
    public int requeue(String channel, int limit) {
      ask(channel);
      int moved = Math.min(limit, deadLetters);
      deadLetters -= moved;
      return moved;
    }

    @Override
    public void close() {}
  }
}
