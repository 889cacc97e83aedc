package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Iterator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests that a program with a deleted key receives no further events. */
@Tag("server")
class EndedStreamTest {

  private static final String PASSWORD = "quite a long secret of 3 frogs";

  @Test
  void theStreamOfADeletedKeyEndsBeforeItsNextHeartbeats() throws Exception {
    try (MillraceServer server =
            MillraceServer.start(
                TestConfigs.ofFirstStart(
                    "security.admin.user", "ada", "security.admin.password", PASSWORD),
                ServerExtensions.NONE);
        HttpClient client = HttpClient.newHttpClient()) {
      String api = server.address() + "api/v1";
      HttpResponse<String> session =
          client.send(
              json(api + "/session", "{\"user\":\"ada\",\"password\":\"" + PASSWORD + "\"}"),
              BodyHandlers.ofString());
      String cookie = session.headers().firstValue("Set-Cookie").orElseThrow().split(";", 2)[0];
      String csrf = read(session).get("csrfToken").stringValue();
      HttpRequest create =
          HttpRequest.newBuilder(
                  json(api + "/keys", "{\"name\":\"ci\",\"role\":\"viewer\"}"),
                  (name, value) -> true)
              .header("Cookie", cookie)
              .header("X-CSRF-Token", csrf)
              .build();
      JsonNode key = read(client.send(create, BodyHandlers.ofString()));
      HttpRequest listen =
          HttpRequest.newBuilder(URI.create(api + "/events"))
              .header("Authorization", "Bearer " + key.get("key").stringValue())
              .build();
      try (Stream<String> lines = client.send(listen, BodyHandlers.ofLines()).body()) {
        Iterator<String> each = lines.iterator();
        assertThat(each.next()).startsWith("retry: ");
        HttpRequest delete =
            HttpRequest.newBuilder(URI.create(api + "/keys/" + key.get("id").longValue()))
                .DELETE()
                .header("Cookie", cookie)
                .header("X-CSRF-Token", csrf)
                .build();
        assertThat(client.send(delete, BodyHandlers.discarding()).statusCode()).isEqualTo(204);
        // Heartbeats come every two seconds; without a notification, streams check every 15
        // seconds.
        assertThat(heartbeats(each)).isLessThan(4);
      }
    }
  }

  private static int heartbeats(Iterator<String> lines) {
    int heartbeats = 0;
    while (lines.hasNext()) {
      heartbeats += lines.next().contains("heartbeat") ? 1 : 0;
    }
    return heartbeats;
  }

  private static HttpRequest json(String address, String body) {
    return HttpRequest.newBuilder(URI.create(address))
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body))
        .build();
  }

  private static JsonNode read(HttpResponse<String> response) throws IOException {
    return JsonMapper.shared().readTree(response.body());
  }
}
