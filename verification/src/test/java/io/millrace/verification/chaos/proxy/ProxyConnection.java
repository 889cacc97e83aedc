package io.millrace.verification.chaos.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.function.Consumer;

/** A connection through the proxy. */
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

  /** Copies bytes in one direction until either side closes or a fault ends the connection. */
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
      // One side has closed; the other side is closed below.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    reset();
  }

  /** Resets both sides, as a broken network or a dead host does. */
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
      // It is already closed.
    }
  }
}
