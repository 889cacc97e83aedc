package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.http.Method;
import io.millrace.server.http.Route;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Marked values are shown by no operation, whatever is done to the instance. */
@Timeout(120)
final class SecretsTest {

  private static final String V1 = "/api/v1";
  private static final String CARD = "4111-canary-1111";
  private static final String PIN = "9-canary-9";
  private static final String OTHER = "5500-canary-0004";

  @Test
  void noOperationShowsASecret() throws IOException {
    try (TestServer server = TestServer.inMemory();
        EventsTest.Stream stream = EventsTest.Stream.open(server.port(), "", "")) {
      Client client = new Client(server.port());
      long id = start(client, CARD).json().get("id").longValue();
      server.await(id, instance -> instance.status().code().equals("failed"));
      String change = stream.awaitEvent("change");
      List<String> answers = new ArrayList<>(List.of(change));
      answers.add(start(client, OTHER).raw().body());
      answers.add(edit(client, id, OTHER).raw().body());
      answers.add(search(client).raw().body());
      answers.add(bulk(client).raw().body());
      answers.add(deed(client, id, "retry").raw().body());
      server.await(id, instance -> instance.seq() >= 4 && instance.status().isTerminal());
      String fingerprint =
          client.get(V1 + "/failures?type=payment").json().get(0).get("fingerprint").asString();
      server.sequences().add(Sample.daily("daily"));
      for (Route route : server.routes()) {
        if (route.method() == Method.GET && !route.operationId().equals("events")) {
          answers.add(get(client, route, id, fingerprint));
        }
      }
      answers.add(client.get(V1 + "/instances/export?format=json").raw().body());
      String all = String.join("\n", answers);
      assertThat(all).contains("The bank refuses ***", "\"secret\":true", "\"inputSecret\":true");
      assertThat(all).doesNotContain("canary");
    }
  }

  @Test
  void whatIsLookedForBySecretsIsRefusedAndKeptNowhere() {
    try (TestServer server = TestServer.inMemory()) {
      Client client = new Client(server.port());
      assertThat(start(client, CARD).status()).isEqualTo(201);
      assertThat(start(client, CARD).status()).as("compared without being shown").isEqualTo(200);
      assertThat(start(client, OTHER).status()).isEqualTo(409);
      assertThat(search(client).status()).isEqualTo(400);
      assertThat(bulk(client).status()).isEqualTo(400);
      assertThat(client.get(V1 + "/bulk").json()).isEmpty();
    }
  }

  private static Client.Reply start(Client client, String card) {
    return client.post(
        V1 + "/instances",
        Map.of(
            "type",
            "payment",
            "input",
            Map.of("pin", PIN),
            "variables",
            Map.of("card", card),
            "externalId",
            "one"));
  }

  private static Client.Reply edit(Client client, long id, String card) {
    return client.send(
        "PATCH",
        V1 + "/instances/" + id + "/variables",
        "{\"set\":{\"card\":\"" + card + "\"}}",
        Map.of());
  }

  private static Client.Reply search(Client client) {
    return client.get(V1 + "/instances?type=payment&variable=card&value=" + CARD);
  }

  private static Client.Reply bulk(Client client) {
    return client.post(
        V1 + "/bulk",
        Map.of("action", "retry", "filter", Map.of("variable", "card", "value", CARD)));
  }

  private static Client.Reply deed(Client client, long id, String deed) {
    return client.post(V1 + "/instances/" + id + "/" + deed, Map.of());
  }

  private static String get(Client client, Route route, long id, String fingerprint) {
    String path =
        route
            .path()
            .replace("{id}", String.valueOf(id))
            .replace("{type}", "payment")
            .replace("{workflowId}", "daily")
            .replace("{name}", "MAIL")
            .replace("{channel}", "count.mail")
            .replace("{flow}", "orders")
            .replace("{queue}", "pack")
            .replace("{fingerprint}", fingerprint);
    return path + ": " + client.get(path).raw().body();
  }
}
