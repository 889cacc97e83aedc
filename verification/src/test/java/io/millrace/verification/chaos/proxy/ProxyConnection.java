package io.millrace.verification.chaos.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.function.Consumer;

/** One connection through the proxy. */
final class ProxyConnection {

  private static final int CHUNK = 16_384;

  private final Socket client;
  private final Socket server;
  private final Consumer<ProxyConnection> onEnd;

  ProxyConnection(Socket client, Socket server, Consumer<ProxyConnection> onEnd) {
    this.client = client;
    this.server = server;
    this.onEnd = onEnd;
  }

  /** Carries bytes one way until either side ends or a fault ends the link. */
  void pump(Socket from, Socket to, TrafficGate trafficGate) {
    byte[] chunk = new byte[CHUNK];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
        if (!trafficGate.pass()) {
          break;
        }
        out.write(chunk, 0, length);
      }
    } catch (IOException e) {
      // One side has gone; the other side is told below.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    reset();
  }

  /** Ends both sides with a reset, as a cut line or a dead host would. */
  void reset() {
    onEnd.accept(this);
    reset(client);
    reset(server);
  }

  private static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      // It is closed already.
    }
  }
}
