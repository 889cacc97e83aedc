package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.StartRequest;
import io.millrace.server.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests clients that request a large file and disconnect before its end. */
final class BrokenExportTest {

  private static final int INSTANCES = 10_000;
  private static final int READERS = 20;

  @Test
  void theyLeaveNoThreadAndNoConnectionBehind() throws IOException {
    try (TestServer server = TestServer.inMemory()) {
      StartRequest one =
          StartRequest.of("order").businessKey("b".repeat(200)).after(Duration.ofDays(1));
      for (int i = 0; i < INSTANCES; i += 1000) {
        server.client().startAll(Collections.nCopies(1000, one));
      }
      ServerHealthProbe serverHealthProbe = new ServerHealthProbe(server);
      List<Socket> readers = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        readers.add(begin(server.port()));
      }
      for (Socket reader : readers) {
        reader.close();
      }
      List<String> faults = new ArrayList<>();
      serverHealthProbe.check(faults);
      assertThat(faults).isEmpty();
      server.awaitUntil(() -> server.connectionsInUse() <= 1); // the heartbeat keeps one
    }
  }

  /** Requests the file and reads its start; the rest does not fit into the buffers in between. */
  private static Socket begin(int port) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4096);
    socket.setSoTimeout(Math.toIntExact(Patience.LIMIT.toMillis()));
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    String request = "GET /api/v1/instances/export?format=json HTTP/1.1\r\nHost: x\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    InputStream in = socket.getInputStream();
    assertThat(new String(in.readNBytes(2000), StandardCharsets.UTF_8))
        .startsWith("HTTP/1.1 200 OK")
        .contains("{\"id\":");
    return socket;
  }
}
