package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.millrace.server.config.Observe;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Maintenance as operators plan it and as strangers see it. */
final class StatusPagesTest {

  private static final String V1 = "/api/v1";
  private static final Map<String, Object> PLAN =
      Map.of(
          "title", "New disks",
          "from", "2027-01-05T10:00:00Z",
          "until", "2027-01-05T11:00:00Z",
          "impact", "delays");

  private static final GreenMail MAIL =
      new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
  private static TestServer server;
  private static Client client;

  @AutoClose private final HttpClient browser = HttpClient.newHttpClient();

  @BeforeAll
  static void start() {
    MAIL.start();
    server =
        TestServer.withObserve(
            new Observe(
                true,
                new Observe.Logs(1, 100, 100),
                List.of(),
                new Observe.Mail(
                    "127.0.0.1",
                    MAIL.getSmtp().getPort(),
                    null,
                    null,
                    "millrace@example.org",
                    Observe.MailTls.NONE),
                List.of("127.0.0.1"),
                new Observe.Status(true, URI.create("https://jobs.example.org/"), null)));
    client = new Client(server.port());
  }

  @AfterAll
  static void stop() {
    server.close();
    MAIL.stop();
  }

  @Test
  void aPlanIsOnThePageInTheFeedAndInTheCalendar() throws Exception {
    JsonNode planned = client.post(V1 + "/maintenances", PLAN).json();
    long id = planned.get("id").asLong();
    assertThat(planned.get("stage").asString()).isEqualTo("scheduled");
    server.awaitState(id, "scheduled");

    assertThat(client.get(V1 + "/status").json().get("maintenances").toString())
        .contains("New disks");
    HttpResponse<String> page = get("/status-page");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).contains("<h3>New disks</h3>").contains("Expect: delays");
    assertThat(page.headers().firstValue("Cache-Control")).contains("public, max-age=10");
    assertThat(page.headers().firstValue("Content-Security-Policy")).isPresent();
    assertThat(get("/status-page/feed.atom").body()).contains("Scheduled: New disks");
    assertThat(get("/status-page/calendar.ics").body()).contains("DTSTART:20270105T100000Z");
    assertThat(get("/status-page/style.css").headers().firstValue("Content-Type"))
        .contains("text/css; charset=utf-8");

    assertThat(client.post(advance(id), Map.of("to", "inProgress")).status()).isEqualTo(204);
    server.awaitState(id, "inProgress");
    assertThat(client.get(V1 + "/maintenances/" + id).json().get("next").toString())
        .isEqualTo("[\"cancelled\",\"completed\",\"verifying\"]");
    assertThat(client.post(advance(id), Map.of("to", "scheduled")).status()).isEqualTo(409);
  }

  @Test
  void aPlanThatMakesNoSenseIsRefused() {
    assertThat(client.post(V1 + "/maintenances", Map.of("title", "x")).status()).isEqualTo(400);
    Map<String, Object> backwards =
        Map.of("title", "x", "from", "2027-01-05T10:00:00Z", "until", "2027-01-05T09:00:00Z");
    Client.Reply refused = client.post(V1 + "/maintenances", backwards);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.raw().body()).contains("expected an end after the beginning");
  }

  @Test
  void aStrangerSubscribesByTheForms() throws Exception {
    assertThat(post("/status-page/subscribe", "mail=nobody").statusCode()).isEqualTo(400);
    HttpResponse<String> asked = post("/status-page/subscribe", "mail=" + enc("eve@example.org"));
    assertThat(asked.statusCode()).isEqualTo(200);
    assertThat(asked.body()).contains("Look into your mail");
    assertThat(MAIL.waitForIncomingEmail(20_000, 1)).isTrue();
    String text = MAIL.getReceivedMessages()[0].getContent().toString();
    Matcher link = Pattern.compile("confirm\\?id=(\\d+)&token=(\\S+)").matcher(text);
    assertThat(link.find()).isTrue();
    long id = Long.parseLong(link.group(1));
    server.awaitState(id, "unconfirmed");

    assertThat(get("/status-page/" + link.group()).body()).contains("<form");
    server.awaitState(id, "unconfirmed");
    String form = "id=" + id + "&token=" + link.group(2);
    assertThat(post("/status-page/confirm", "id=" + id + "&token=wrong").statusCode())
        .isEqualTo(404);
    assertThat(post("/status-page/confirm", form).statusCode()).isEqualTo(200);
    server.awaitState(id, "active");
    assertThat(client.get(V1 + "/subscriptions").json().get("items").toString())
        .contains("eve@example.org");
    assertThat(post("/status-page/unsubscribe", form).statusCode()).isEqualTo(200);
    server.awaitState(id, "ended");
  }

  @Test
  void anOperatorAddsAndRemovesWebhooks() {
    String path = V1 + "/subscriptions";
    assertThat(client.post(path, Map.of("webhook", "http://10.1.2.3/x")).status()).isEqualTo(400);
    assertThat(client.post(path, Map.of()).status()).isEqualTo(400);
    Client.Reply added = client.post(path, Map.of("webhook", "http://127.0.0.1:9/x"));
    assertThat(added.status()).isEqualTo(201);
    long id = added.json().get("id").asLong();
    server.awaitState(id, "active");
    assertThat(client.send("DELETE", path + "/" + id, null, Map.of()).status()).isEqualTo(204);
    server.awaitState(id, "ended");
  }

  private static String advance(long id) {
    return V1 + "/maintenances/" + id + "/advance";
  }

  private static String enc(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private HttpResponse<String> get(String path) throws Exception {
    return browser.send(request(path).build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> post(String path, String form) throws Exception {
    return browser.send(
        request(path)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(form))
            .build(),
        BodyHandlers.ofString());
  }

  private static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
  }
}
