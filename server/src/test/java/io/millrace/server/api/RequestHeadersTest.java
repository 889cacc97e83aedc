package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.millrace.server.Patience;
import io.millrace.server.http.Route;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Tests headers with unknown values: they are rejected or ignored, and never logged. */
final class RequestHeadersTest {

  private static final List<String> REQUESTS =
      List.of(
          "GET /health/live",
          "HEAD /health/live",
          "GET /api/v1/instances",
          "GET /api/v1/instances/export",
          "GET /api/v1/calendar",
          "GET /api/v1/key-values/value?group=a&key=b",
          "POST /api/v1/instances",
          "POST /api/v1/session",
          "POST /status-page/confirm",
          "GET /api/v1/events",
          "GET /metrics",
          "GET /",
          "GET /assets/x.js",
          "OPTIONS /",
          "PUT /api/v1/nothing");

  private static TestServer server;

  @BeforeAll
  static void start() {
    server = TestServer.inMemory();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json; charset=x",
        "application/json;charset=\"",
        "text/html; charset=utf-7",
        "text/html; charset='utf-8'",
        "x; charset=\u00e9",
      })
  void anUnknownCharsetIsRefused(String type) throws IOException {
    ListAppender<ILoggingEvent> log = capture();
    try {
      for (String request : REQUESTS) {
        assertRefused(request, type);
      }
      assertThat(log.list).isEmpty();
    } finally {
      root().detachAppender(log);
    }
  }

  @Test
  void everyRouteRefusesAnUnknownCharset() throws IOException {
    for (Route route : server.routes()) {
      String path = route.path().replaceAll("\\{[^}]+}", "1");
      assertRefused(route.method() + " " + path, "application/json; charset=x");
    }
  }

  private static void assertRefused(String request, String type) throws IOException {
    String answer = send(request, "Content-Type: " + type, "");
    assertThat(answer).as(request).startsWith("HTTP/1.1 415 ");
    if (!request.startsWith("HEAD")) {
      assertThat(answer)
          .contains("application/problem+json", "names a charset that is not known; send UTF-8");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Type: ;;;=",
        "Content-Type: application/json; charset=",
        "Content-Type: application/json; charset=utf-8; charset=x",
        "Accept: x/;;q=",
        "Accept: ,,,",
        "Accept-Charset: x",
        "Accept-Language: x-y-z;q=a",
        "Accept-Encoding: gzip;q=x,br,,;",
        "Accept-Encoding: *;q=0",
        "Content-Encoding: x",
        "Content-Language: \u00e9",
        "Transfer-Encoding: x",
        "TE: x",
        "Range: bytes=9-1",
        "Range: x=\u00e9",
        "If-Range: x",
        "If-Modified-Since: x",
        "If-Match: x",
        "If-None-Match: \"",
        "Last-Event-ID: \u00e9",
        "Last-Event-ID: 99999999999999999999",
        "Cookie: millrace_session=\u00e9; $Version=1; =\"",
        "Expect: x",
        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: x",
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: x",
        "Forwarded: for=;;\"",
        "X-Forwarded-For: \u00e9",
        "X-Forwarded-Proto: x",
        "X-Forwarded-Host: a b",
        "Origin: ::://",
        "Sec-Fetch-Site: \u00e9",
        "Authorization: Bearer \u00e9",
        "Authorization: Digest x",
        "Time-Zone: X/Y",
        "Idempotency-Key: \u00e9",
      })
  void aHeaderThatNamesSomethingElseMakesNothingFail(String header) throws IOException {
    ListAppender<ILoggingEvent> log = capture();
    try {
      for (String request : REQUESTS) {
        assertThat(send(request, header, "{}")).as(request).matches("(?s)HTTP/1.1 [24].*");
      }
      assertThat(log.list).isEmpty();
    } finally {
      root().detachAppender(log);
    }
  }

  @Test
  void aCompressedBodyIsRefusedAsSuch() throws IOException {
    String json = "Content-Type: application/json\r\nContent-Encoding: ";
    String start = "{\"type\":\"quick\"}";
    assertThat(send("POST /api/v1/instances", json + "gzip", start))
        .startsWith("HTTP/1.1 415 ")
        .contains("Content-Encoding");
    assertThat(send("POST /api/v1/instances", json + "identity", start))
        .startsWith("HTTP/1.1 201 ");
  }

  private static String send(String request, String header, String body) throws IOException {
    boolean sends = request.startsWith("P") && !header.startsWith("Transfer-Encoding");
    String text =
        String.join(
            "\r\n",
            request + " HTTP/1.1",
            "Host: localhost",
            header,
            sends ? "Content-Length: " + body.length() : "X: y",
            "",
            sends ? body : "");
    try (RawConnection connection = new RawConnection(server.port(), Patience.LIMIT)) {
      return connection.exchange(text.getBytes(StandardCharsets.UTF_8), false);
    }
  }

  /** Captures what an operator would see with the default log levels. */
  private static ListAppender<ILoggingEvent> capture() {
    ListAppender<ILoggingEvent> log =
        new ListAppender<>() {
          @Override
          protected void append(ILoggingEvent event) {
            if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
              super.append(event);
            }
          }
        };
    log.start();
    root().addAppender(log);
    return log;
  }

  private static Logger root() {
    return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  }
}
