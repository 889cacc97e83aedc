package io.millrace.verification.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/**
 * A network path to a server that can be cut off: then it still takes what comes, and passes
 * nothing on.
 */
final class Relay implements AutoCloseable {

  private final ServerSocket entry = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final String host;
  private final int port;
  private volatile CountDownLatch open = new CountDownLatch(0);

  Relay(String host, int port) throws IOException {
    this.host = host;
    this.port = port;
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return entry.getLocalPort();
  }

  /** From now on nothing is passed on. */
  void stall() {
    open = new CountDownLatch(1);
  }

  /** Passes on again, also what came meanwhile. */
  void resume() {
    open.countDown();
  }

  private void accept() {
    while (!entry.isClosed()) {
      try {
        Socket client = entry.accept();
        Socket server = new Socket(host, port);
        sockets.addAll(List.of(client, server));
        Thread.ofVirtual().start(() -> pass(client, server));
        Thread.ofVirtual().start(() -> pass(server, client));
      } catch (IOException e) {
        // Closed, or the server is away: the client sees its connection end.
      }
    }
  }

  private void pass(Socket from, Socket to) {
    byte[] buffer = new byte[8192];
    try (from;
        to;
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        open.await();
        out.write(buffer, 0, count);
        out.flush();
      }
    } catch (IOException e) {
      // One side has gone; so does the other.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    resume();
    entry.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
