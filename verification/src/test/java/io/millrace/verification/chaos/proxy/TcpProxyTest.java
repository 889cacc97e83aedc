package io.millrace.verification.chaos.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of each traffic rule, on a server that answers every byte with the next one. */
@Timeout(300)
@Tag("races")
class TcpProxyTest {

  private static final int PATIENCE_MILLIS = 300;

  private final AtomicInteger served = new AtomicInteger();
  private ServerSocket server;
  private TcpProxy proxy;

  @BeforeEach
  void open() throws IOException {
    server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    proxy = TcpProxy.start(server.getLocalPort());
    Thread.ofPlatform().daemon().start(this::serve);
  }

  @AfterEach
  void close() throws IOException {
    proxy.close();
    server.close();
  }

  private void serve() {
    try {
      while (true) {
        Socket socket = server.accept();
        Thread.ofPlatform().daemon().start(() -> answer(socket));
      }
    } catch (SocketException e) {
      assertThat(server.isClosed()).isTrue();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void answer(Socket socket) {
    try (socket) {
      for (int b = socket.getInputStream().read(); b >= 0; b = socket.getInputStream().read()) {
        served.incrementAndGet();
        socket.getOutputStream().write(b + 1);
      }
    } catch (IOException e) {
      // The proxy has reset the connection, as some tests expect.
      assertThat(e).isInstanceOf(SocketException.class);
    }
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    socket.setSoTimeout(10_000);
    return socket;
  }

  private static int ask(Socket socket, int b) throws IOException {
    socket.getOutputStream().write(b);
    return socket.getInputStream().read();
  }

  @Test
  void bytesPassBothWays() throws IOException {
    try (Socket socket = connect()) {
      assertThat(ask(socket, 1)).isEqualTo(2);
      assertThat(ask(socket, 2)).isEqualTo(3);
    }
  }

  @Test
  void aCutIsAResetAndLaterConnectionsWork() throws IOException {
    try (Socket socket = connect()) {
      assertThat(ask(socket, 1)).isEqualTo(2);
      proxy.resetConnections();
      assertThatThrownBy(() -> ask(socket, 1)).isInstanceOf(SocketException.class);
    }
    try (Socket socket = connect()) {
      assertThat(ask(socket, 1)).isEqualTo(2);
    }
  }

  @Test
  void aStalledReplyComesWhenTheStallIsOver() throws IOException {
    try (Socket socket = connect()) {
      proxy.setTraffic(TrafficRule.PASS, new TrafficRule.Stalled());
      socket.setSoTimeout(PATIENCE_MILLIS);
      assertThatThrownBy(() -> ask(socket, 1)).isInstanceOf(SocketTimeoutException.class);
      assertThat(served).hasValue(1);
      proxy.setTraffic(TrafficRule.PASS, TrafficRule.PASS);
      socket.setSoTimeout(10_000);
      assertThat(socket.getInputStream().read()).isEqualTo(2);
    }
  }

  @Test
  void aStalledRequestDoesNotArrive() throws IOException {
    try (Socket socket = connect()) {
      assertThat(ask(socket, 1)).isEqualTo(2);
      proxy.setTraffic(new TrafficRule.Stalled(), TrafficRule.PASS);
      socket.setSoTimeout(PATIENCE_MILLIS);
      assertThatThrownBy(() -> ask(socket, 1)).isInstanceOf(SocketTimeoutException.class);
      assertThat(served).hasValue(1);
    }
  }

  @Test
  void aDelayedReplyIsLate() throws IOException {
    try (Socket socket = connect()) {
      proxy.setTraffic(
          TrafficRule.PASS, new TrafficRule.Delayed(Duration.ofMillis(PATIENCE_MILLIS)));
      long begin = System.nanoTime();
      assertThat(ask(socket, 1)).isEqualTo(2);
      assertThat(Duration.ofNanos(System.nanoTime() - begin))
          .isGreaterThanOrEqualTo(Duration.ofMillis(PATIENCE_MILLIS));
    }
  }

  @Test
  void aDroppedReplyIsLostAfterTheRequestWasServed() throws IOException {
    try (Socket socket = connect()) {
      assertThat(ask(socket, 1)).isEqualTo(2);
      proxy.setTraffic(TrafficRule.PASS, new TrafficRule.Dropped());
      assertThatThrownBy(() -> ask(socket, 1)).isInstanceOf(SocketException.class);
      assertThat(served).hasValue(2);
    }
  }
}
