package io.millrace.server.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.millrace.lifecycle.EngineClock;
import io.millrace.server.Patience;
import io.millrace.server.security.OutboundClient.Request;
import io.millrace.server.security.OutboundClient.Response;
import io.millrace.testing.SettableClock;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutboundClientTest {

  private final List<String> asked = new CopyOnWriteArrayList<>();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    asked.add(
        exchange.getRequestMethod()
            + " "
            + exchange.getRequestURI()
            + " "
            + exchange.getRequestHeaders().getFirst("Host")
            + " "
            + body);
    String path = exchange.getRequestURI().getPath();
    byte[] answer = ("got it: \u00e4 " + "x".repeat(20_000)).getBytes(UTF_8);
    switch (path) {
      case "/moved" -> {
        exchange.getResponseHeaders().set("Location", "/elsewhere");
        exchange.sendResponseHeaders(302, -1);
      }
      case "/chunks" -> exchange.sendResponseHeaders(200, 0);
      default -> exchange.sendResponseHeaders(200, answer.length);
    }
    if (!path.equals("/moved")) {
      exchange.getResponseBody().write(answer);
    }
    exchange.close();
  }

  private URI local(String path) {
    return URI.create("http://hook.example:" + server.getAddress().getPort() + path);
  }

  private static OutboundClient allowing(HostResolver hostResolver, String... hosts) {
    return new OutboundClient(Set.of(hosts), hostResolver, EngineClock.system());
  }

  private static HostResolver always(String address) {
    return host -> List.of(InetAddress.getByName(address));
  }

  private static Request get(URI url) {
    return new Request("GET", url, Map.of(), "", Patience.LIMIT);
  }

  @Test
  void aHostThatIsAllowedIsCalledByItsName() throws IOException {
    OutboundClient urls = allowing(always("127.0.0.1"), "hook.example");
    URI url = local("/a?b=c%20d");

    Response response =
        urls.send(
            new Request(
                "POST", url, Map.of("Content-Type", "text/plain"), "h\u00e4", Patience.LIMIT));

    assertThat(asked).containsExactly("POST /a?b=c%20d " + url.getAuthority() + " h\u00e4");
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.body()).startsWith("got it: \u00e4 xxx").hasSize(20_010);
  }

  @Test
  void anAnswerInChunksIsPutTogether() throws IOException {
    OutboundClient urls = allowing(always("127.0.0.1"), "HOOK.example.");

    assertThat(urls.send(get(local("/chunks"))).body()).startsWith("got it: ").hasSize(20_010);
  }

  @Test
  void aRedirectIsNotFollowed() throws IOException {
    OutboundClient urls = allowing(always("127.0.0.1"), "hook.example");

    Response response = urls.send(get(local("/moved")));

    assertThat(response.status()).isEqualTo(302);
    assertThat(response.headers()).containsEntry("location", "/elsewhere");
    assertThat(asked).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1/",
        "http://localhost/",
        "http://[::1]/",
        "http://0x7f.1/",
        "http://2130706433/",
        "http://0.0.0.0/",
        "http://[::ffff:10.0.0.1]/",
        "http://169.254.169.254/latest/meta-data",
        "http://10.0.0.1:8080/",
        "file:///etc/passwd",
        "ftp://example.com/",
        "gopher://example.com/",
        "http://user:secret@example.com/",
        "jar:http://example.com/!/",
        "http:///path",
        "http://a_b/"
      })
  void urlsThatLeadInsideAreRefused(String url) {
    OutboundClient urls = OutboundClient.allowing(Set.of(), EngineClock.system());

    assertThatThrownBy(() -> urls.send(get(URI.create(url))))
        .isInstanceOfAny(RejectedUrlException.class, UnknownHostException.class)
        .hasMessageNotContaining("secret");
  }

  @Test
  void aNameWithOnePrivateAddressIsRefused() {
    HostResolver both =
        host -> List.of(InetAddress.getByName("8.8.8.8"), InetAddress.getLoopbackAddress());

    assertThatThrownBy(() -> allowing(both).send(get(local("/"))))
        .isInstanceOf(RejectedUrlException.class)
        .hasMessageContaining("private address 127.0.0.1")
        .hasMessageContaining("allow the host hook.example");
    assertThat(asked).isEmpty();
  }

  @Test
  void anAllowedNameDoesNotLeadToTheCredentialsOfACloud() {
    OutboundClient urls = allowing(always("169.254.169.254"), "hook.example");

    assertThatThrownBy(() -> urls.examine(local("/")))
        .isInstanceOf(RejectedUrlException.class)
        .hasMessageContaining("never called");
  }

  @Test
  void theNameIsLookedUpOnceSoThatItCannotAnswerDifferentlyTheSecondTime() throws IOException {
    List<String> lookedUp = new ArrayList<>();
    HostResolver rebinding =
        host -> {
          lookedUp.add(host);
          return List.of(InetAddress.getByName(lookedUp.size() == 1 ? "127.0.0.1" : "127.0.0.2"));
        };

    allowing(rebinding, "hook.example").send(get(local("/")));

    assertThat(lookedUp).containsExactly("hook.example");
    assertThat(asked).hasSize(1);
  }

  @Test
  void aHeaderCannotHoldAnother() {
    OutboundClient urls = allowing(always("127.0.0.1"), "hook.example");
    Request request =
        new Request("GET", local("/"), Map.of("X-Note", "a\r\nX-Other: b"), "", Patience.LIMIT);

    assertThatThrownBy(() -> urls.send(request)).isInstanceOf(ProtocolException.class);
    assertThat(asked).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SSH-2.0-OpenSSH\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffff0\r\n"
      })
  void anAnswerThatIsNoHttpIsAnError(String answer) throws Exception {
    assertThatThrownBy(() -> answeredWith(answer)).isInstanceOf(ProtocolException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "HTTP/1.1 200 OK\r\nContent-Len",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc"
      })
  void anAnswerThatEndsEarlyIsAnError(String answer) throws Exception {
    assertThatThrownBy(() -> answeredWith(answer)).isInstanceOf(EOFException.class);
  }

  private static Response answeredWith(String answer) throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread other =
          Thread.ofVirtual()
              .start(() -> {
                try (Socket socket = listener.accept();
                    InputStream in = socket.getInputStream()) {
                  for (int end = 0; end < 4; ) {
                    end = "\r\n\r\n".charAt(end) == in.read() ? end + 1 : 0;
                  }
                  socket.getOutputStream().write(answer.getBytes(UTF_8));
                  socket.getOutputStream().flush();
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });
      try {
        return allowing(always("127.0.0.1"), "h")
            .send(get(URI.create("http://h:" + listener.getLocalPort() + "/")));
      } finally {
        Patience.join(other);
      }
    }
  }

  @Test
  void lookingTheNameUpIsPartOfTheTime() throws Exception {
    SettableClock clock = SettableClock.at(Instant.EPOCH);
    OutboundClient urls =
        new OutboundClient(
            Set.of("h"),
            host -> {
              // The name server takes longer than the remaining time.
              clock.advance(Duration.ofSeconds(6));
              return List.of(InetAddress.getLoopbackAddress());
            },
            clock);
    URI url = URI.create("http://h:" + server.getAddress().getPort() + "/");

    assertThatThrownBy(
            () -> urls.send(new Request("GET", url, Map.of(), "", Duration.ofSeconds(5))))
        .isInstanceOf(SocketTimeoutException.class);
  }
}
