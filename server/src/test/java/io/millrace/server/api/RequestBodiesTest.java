package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.Patience;
import io.millrace.server.http.HttpMethod;
import io.millrace.server.http.Route;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the limits on the size, the time and the type of request bodies, for every route. */
@Tag("server")
class RequestBodiesTest {

  private static final String FORM = "application/x-www-form-urlencoded";
  private static final String MULTIPART = "multipart/form-data; boundary=b";
  private static final String CONFIRM = "/status-page/confirm";
  private static final int STEP_MILLIS = 250;
  private static final int MAX_STEPS = 80;

  private static TestServer server;

  @BeforeAll
  static void start() {
    server = TestServer.impatient();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void multipartIsRefusedByEveryRouteBeforeItsBodyComes() throws IOException {
    List<Route> routes =
        server.routes().stream().filter(route -> route.method() != HttpMethod.GET).toList();
    assertThat(routes).hasSizeGreaterThan(50);
    for (Route route : routes) {
      String path = route.path().replaceAll("\\{[^}]+}", "1");
      String answer =
          send(head(route.method().name(), path, MULTIPART, 200_000_000) + "--b\r\n", false);
      assertThat(answer).as(route.operationId()).startsWith("HTTP/1.1 415 ");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "form-data; name=\"token\"",
        "form-data; name=\"token\"; filename=\"x\"",
        "form-data",
        "attachment",
        ""
      })
  void aPartOfAnyKindIsRefused(String disposition) throws IOException {
    String body = "--b\r\nContent-Disposition: " + disposition + "\r\n\r\nx\r\n--b--\r\n";
    String answer = send(head("POST", CONFIRM, MULTIPART, body.length()) + body, true);
    assertThat(answer).startsWith("HTTP/1.1 415 ");
  }

  @ParameterizedTest
  @CsvSource({
    "id=1, 400",
    "token=x, 400",
    "id=x&token=x, 400",
    "id=%zz&token=x, 400",
    "id=%ff&token=x, 400",
    "id=%00&token=x, 400",
    "id=1&token=x&token=y, 400",
    "=, 400",
    "&&&, 400",
    "'', 400",
    "id=1&token=x, 404",
    "id=1&token=x&other=1, 404",
  })
  void aFormHasTheFieldsThatItsPageNeeds(String form, int status) throws IOException {
    String answer = send(head("POST", CONFIRM, FORM, form.length()) + form, true);
    assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"application/json", "text/plain", FORM + "; charset=utf-16", ";", "x/y; a=b"})
  void aFormHasTheContentTypeOfForms(String type) throws IOException {
    String form = "id=1&token=x";
    String answer = send(head("POST", CONFIRM, type, form.length()) + form, true);
    assertThat(answer).startsWith("HTTP/1.1 415 ");
  }

  @Test
  void aFormIsNoLargerThanOtherBodies() throws IOException {
    String form = "id=1&token=" + "x".repeat(1 << 20);
    String answer = send(head("POST", CONFIRM, FORM, form.length()) + form, true);
    assertThat(answer).startsWith("HTTP/1.1 413 ");
  }

  @ParameterizedTest
  @CsvSource({
    CONFIRM + "," + FORM,
    "/status-page/subscribe," + FORM,
    "/api/v1/instances,application/json"
  })
  void aBodyThatTricklesIsEnded(String path, String type) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(STEP_MILLIS);
      write(socket, head("POST", path, type, 100_000));
      boolean ended = false;
      for (int i = 0; i < MAX_STEPS && !ended; i++) {
        ended = endsAfterOneMoreByte(socket);
      }
      assertThat(ended).isTrue();
    }
  }

  private static boolean endsAfterOneMoreByte(Socket socket) throws IOException {
    try {
      socket.getOutputStream().write('b');
      socket.getInputStream().read();
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (SocketException e) {
      return true;
    }
  }

  @ParameterizedTest
  @CsvSource({CONFIRM + "," + FORM, "/api/v1/instances,application/json"})
  void aBodyThatStopsIsEndedAtTheSameTime(String path, String type) throws IOException {
    String answer = send(head("POST", path, type, 100_000) + "id=", false);
    assertThat(answer).startsWith("HTTP/1.1 408 ");
  }

  private static String head(String method, String path, String type, int length) {
    return String.join(
        "\r\n",
        method + " " + path + " HTTP/1.1",
        "Host: localhost",
        "Content-Type: " + type,
        "Content-Length: " + length,
        "",
        "");
  }

  private static String send(String request, boolean half) throws IOException {
    try (RawConnection connection = new RawConnection(server.port(), Patience.LIMIT)) {
      return connection.exchange(request.getBytes(StandardCharsets.UTF_8), half);
    }
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }
}
