package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.millrace.server.Patience;
import io.millrace.server.config.ObservabilityConfig;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests maintenance as operators plan it and as the public sees it. */
final class StatusPageResourceTest {

  private static final String V1 = "/api/v1";
  private static final String HTML = "text/html;charset=utf-8";
  private static final Map<String, Object> PLAN =
      Map.of(
          "title", "New disks",
          "from", "2027-01-05T10:00:00Z",
          "until", "2027-01-05T11:00:00Z",
          "impact", "delays");

  private static final GreenMail MAIL =
      new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
  private static TestServer server;
  private static ApiTestClient apiTestClient;

  @AutoClose private final HttpClient browser = HttpClient.newHttpClient();

  @BeforeAll
  static void start() {
    MAIL.start();
    server =
        TestServer.withObserve(
            new ObservabilityConfig(
                true,
                new ObservabilityConfig.Logs(1, 100, 100),
                List.of(),
                new ObservabilityConfig.Mail(
                    "127.0.0.1",
                    MAIL.getSmtp().getPort(),
                    null,
                    null,
                    "millrace@example.org",
                    ObservabilityConfig.MailTls.NONE),
                List.of("127.0.0.1"),
                new ObservabilityConfig.Status(
                    true, URI.create("https://jobs.example.org/"), null)));
    apiTestClient = new ApiTestClient(server.port());
  }

  @AfterAll
  static void stop() {
    server.close();
    MAIL.stop();
  }

  @Test
  void aPlanIsOnThePageInTheFeedAndInTheCalendar() throws Exception {
    JsonNode planned = apiTestClient.post(V1 + "/maintenances", PLAN).json();
    long id = planned.get("id").asLong();
    assertThat(planned.get("stage").asString()).isEqualTo("scheduled");
    server.awaitState(id, "scheduled");

    assertThat(apiTestClient.get(V1 + "/status").json().get("maintenances").toString())
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

    assertThat(apiTestClient.post(advance(id), Map.of("to", "inProgress")).status()).isEqualTo(204);
    server.awaitState(id, "inProgress");
    assertThat(apiTestClient.get(V1 + "/maintenances/" + id).json().get("next").toString())
        .isEqualTo("[\"cancelled\",\"completed\",\"verifying\"]");
    assertThat(apiTestClient.post(advance(id), Map.of("to", "scheduled")).status()).isEqualTo(409);
  }

  @Test
  void aPlanThatMakesNoSenseIsRefused() {
    assertThat(apiTestClient.post(V1 + "/maintenances", Map.of("title", "x")).status())
        .isEqualTo(400);
    Map<String, Object> backwards =
        Map.of("title", "x", "from", "2027-01-05T10:00:00Z", "until", "2027-01-05T09:00:00Z");
    ApiTestClient.Reply refused = apiTestClient.post(V1 + "/maintenances", backwards);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.raw().body()).contains("expected an end after the beginning");
  }

  @Test
  void aStrangerSubscribesByTheForms() throws Exception {
    int before = MAIL.getReceivedMessages().length;
    assertThat(post("/status-page/subscribe", "mail=nobody").statusCode()).isEqualTo(400);
    HttpResponse<String> asked = post("/status-page/subscribe", "mail=" + enc("eve@example.org"));
    assertThat(asked.statusCode()).isEqualTo(200);
    assertThat(asked.body()).contains("Look into your mail");
    assertThat(MAIL.waitForIncomingEmail(Patience.LIMIT.toMillis(), before + 1)).isTrue();
    String text = MAIL.getReceivedMessages()[before].getContent().toString();
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
    assertThat(apiTestClient.get(V1 + "/subscriptions").json().get("items").toString())
        .contains("eve@example.org");
    assertThat(post("/status-page/unsubscribe", form).statusCode()).isEqualTo(200);
    server.awaitState(id, "ended");
  }

  /**
   * The text of an instance, in responses and backups, must not be enough to end a subscription.
   */
  @Test
  void neitherTokenNorAddressIsStoredWhereInstancesAreSearched() throws Exception {
    int before = MAIL.getReceivedMessages().length;
    post("/status-page/subscribe", "mail=" + enc("Token.Canary@example.org"));
    assertThat(MAIL.waitForIncomingEmail(Patience.LIMIT.toMillis(), before + 1)).isTrue();
    String text = MAIL.getReceivedMessages()[before].getContent().toString();
    Matcher link = Pattern.compile("confirm\\?id=(\\d+)&token=(\\S+)").matcher(text);
    assertThat(link.find()).isTrue();
    String one = V1 + "/instances/" + link.group(1);
    server.awaitState(Long.parseLong(link.group(1)), "unconfirmed");

    for (String path : List.of("", "/variables", "/history", "/messages")) {
      assertThat(apiTestClient.get(one + path).raw().body()).as(path).doesNotContain(link.group(2));
    }
    JsonNode instance = apiTestClient.get(one).json();
    assertThat(instance.get("businessKey").asString()).doesNotContainIgnoringCase("canary");
    assertThat(instance.get("externalId").asString()).doesNotContainIgnoringCase("canary");
  }

  @Test
  void aNetworkThatSubscribesOftenIsRefusedAndKeepsNobodyElseOut() throws Exception {
    int before = MAIL.getReceivedMessages().length;
    for (int i = 0; i < 110; i++) {
      HttpResponse<String> answer = subscribe("flood", "flood" + i + "@example.org");
      if (i < 5) {
        assertThat(answer.statusCode()).as("request %s", i).isEqualTo(200);
      } else {
        assertThat(answer.statusCode()).as("request %s", i).isEqualTo(429);
        assertThat(answer.headers().firstValueAsLong("Retry-After").orElse(0)).isPositive();
        assertThat(answer.headers().firstValue("Content-Type")).contains(HTML);
      }
    }

    assertThat(subscribe("quiet", "quiet@example.org").statusCode()).isEqualTo(200);
    assertThat(MAIL.waitForIncomingEmail(Patience.LIMIT.toMillis(), before + 6)).isTrue();
    assertThat(recipients()).contains("quiet@example.org");
  }

  @Test
  void aMailboxThatHadItsMailsGetsTheSameAnswerAndNoMail() throws Exception {
    List<String> spellings =
        List.of("box@example.org", "Box@example.org", "box+1@example.org", "BOX+2@example.org");
    String first = subscribe("a", spellings.getFirst()).body();
    for (String mail : spellings) {
      assertThat(subscribe("b", mail).body()).isEqualTo(first);
    }

    assertThat(subscribe("c", "box+3@example.org").body()).isEqualTo(first);
    assertThat(subscribe("c", "other@example.org").body()).isEqualTo(first);
    server.awaitUntil(() -> recipients().contains("other@example.org"));
    server.awaitUntil(() -> recipients().contains("BOX+2@example.org"));
    assertThat(recipients())
        .contains("box@example.org", "box+1@example.org")
        .doesNotContain("Box@example.org", "box+3@example.org");
  }

  /** Browsers send no origin with forms of pages whose referrer policy is {@code no-referrer}. */
  @Test
  void pagesWithFormsLetTheBrowserSendTheirOrigin() throws Exception {
    for (String path : List.of("/status-page", "/status-page/confirm?id=1&token=x")) {
      assertThat(get(path).headers().firstValue("Referrer-Policy")).contains("same-origin");
    }
  }

  @Test
  void operatorsSeeNoPathOfAWebhookAndViewersNoAddress() {
    String path = V1 + "/subscriptions";
    String url = "http://127.0.0.1:9/path-canary?k=key-canary";
    for (Map<String, String> one :
        List.of(Map.of("webhook", url), Map.of("mail", "mail.canary@example.org"))) {
      server.awaitState(apiTestClient.post(path, one).json().get("id").asLong(), "active");
    }
    Map<String, String> operator = Map.of("X-Role", "operator");
    Map<String, String> viewer = Map.of("X-Role", "viewer");

    assertThat(apiTestClient.get(path).raw().body()).contains("path-canary", "mail.canary@");
    assertThat(apiTestClient.send("GET", path, null, operator).raw().body())
        .contains("http://127.0.0.1:9/***", "mail.canary@")
        .doesNotContain("path-canary", "key-canary");
    String audit = V1 + "/audit?action=addSubscription";
    assertThat(apiTestClient.send("GET", audit, null, viewer).raw().body())
        .contains("addSubscription")
        .doesNotContain("canary");
  }

  @Test
  void anOperatorAddsAndRemovesWebhooks() {
    String path = V1 + "/subscriptions";
    assertThat(apiTestClient.post(path, Map.of("webhook", "http://10.1.2.3/x")).status())
        .isEqualTo(400);
    assertThat(apiTestClient.post(path, Map.of()).status()).isEqualTo(400);
    ApiTestClient.Reply added = apiTestClient.post(path, Map.of("webhook", "http://127.0.0.1:9/x"));
    assertThat(added.status()).isEqualTo(201);
    long id = added.json().get("id").asLong();
    server.awaitState(id, "active");
    assertThat(apiTestClient.send("DELETE", path + "/" + id, null, Map.of()).status())
        .isEqualTo(204);
    server.awaitState(id, "ended");
  }

  private HttpResponse<String> subscribe(String network, String mail) throws Exception {
    return browser.send(
        request("/status-page/subscribe")
            .header("X-Network", network)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString("mail=" + enc(mail)))
            .build(),
        BodyHandlers.ofString());
  }

  private static List<String> recipients() {
    return Arrays.stream(MAIL.getReceivedMessages())
        .map(StatusPageResourceTest::recipient)
        .toList();
  }

  private static String recipient(MimeMessage mail) {
    try {
      return mail.getAllRecipients()[0].toString();
    } catch (MessagingException e) {
      throw new AssertionError(e);
    }
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
