package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that clients that send a byte now and then are disconnected, while others are served. */
@Tag("server")
final class SlowClientTest {

  private static final int STEP_MILLIS = 250;
  private static final int MAX_STEPS = 120;

  @Test
  void headersMustComeInTime() throws IOException {
    try (TestServer server = TestServer.impatient();
        Socket slow = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      assertThat(endsWhileSending(slow, "GET / HTTP/1.1\r\nHost: x\r\nA: ")).isTrue();
      assertThat(new ApiTestClient(server.port()).get("/api/v1/health/live").status())
          .isEqualTo(200);
    }
  }

  @Test
  void soMustTheHeadersOfALaterRequest() throws IOException {
    try (TestServer server = TestServer.impatient();
        Socket slow = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      String whole = "GET /api/v1/health/live HTTP/1.1\r\nHost: x\r\n\r\n";
      slow.getOutputStream().write(whole.getBytes(StandardCharsets.US_ASCII));
      slow.setSoTimeout(20_000);
      assertThat(slow.getInputStream().read()).isEqualTo('H');
      slow.getInputStream().readNBytes(slow.getInputStream().available());
      assertThat(endsWhileSending(slow, "GET / HTTP/1.1\r\nHost: x\r\nA: ")).isTrue();
    }
  }

  @Test
  void aBodyMustComeInTime() throws IOException {
    try (TestServer server = TestServer.impatient();
        Socket slow = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      String head =
          String.join(
              "\r\n",
              "POST /api/v1/instances HTTP/1.1",
              "Host: x",
              "Content-Type: application/json",
              "Content-Length: 100000",
              "",
              "");
      assertThat(endsWhileSending(slow, head)).isTrue();
    }
  }

  /** True if the server answers or closes the connection while a byte is sent now and then. */
  private static boolean endsWhileSending(Socket socket, String head) throws IOException {
    socket.setSoTimeout(STEP_MILLIS);
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    for (int i = 0; i < MAX_STEPS; i++) {
      try {
        socket.getOutputStream().write('b');
        socket.getInputStream().read();
        return true;
      } catch (SocketTimeoutException e) {
        assertThat(socket.isConnected()).isTrue();
      } catch (SocketException e) {
        return true;
      }
    }
    return false;
  }
}
