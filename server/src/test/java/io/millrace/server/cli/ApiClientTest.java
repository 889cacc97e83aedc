package io.millrace.server.cli;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the messages about a server that does not answer. */
final class ApiClientTest {

  @Test
  void aServerThatTakesTooLongMayStillBeDoingIt() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        ApiClient api =
            new ApiClient(
                "http://127.0.0.1:" + silent.getLocalPort(), null, Duration.ofSeconds(1))) {
      assertThatExceptionOfType(CliException.class)
          .isThrownBy(() -> api.send("POST", "/sequences/x/run", null, Map.of()))
          .withMessageContaining("has not answered within 1 s; it may still be doing it")
          .withMessageNotContaining("Start one");
    }
  }
}
