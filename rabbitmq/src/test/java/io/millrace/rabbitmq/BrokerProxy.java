package io.millrace.rabbitmq;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy in front of the broker that can fall silent, like a router that has forgotten a
 * connection.
 */
final class BrokerProxy implements AutoCloseable {

  private final URI broker = URI.create(TestBroker.uri());
  private final ServerSocket server;
  private final AtomicInteger made = new AtomicInteger();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private volatile int silentUpTo;

  BrokerProxy() throws IOException {
    server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  String uri() {
    return "amqp://" + broker.getUserInfo() + "@127.0.0.1:" + server.getLocalPort();
  }

  /** Stops all traffic on the present connections; later connections work. */
  void silence() {
    silentUpTo = made.get();
  }

  /** Ends the present connections. */
  void cut() throws IOException {
    for (Socket one : sockets) {
      one.close();
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket near = server.accept();
        Socket far = new Socket(broker.getHost(), broker.getPort());
        sockets.add(near);
        int number = made.incrementAndGet();
        Thread.ofVirtual().start(() -> pump(number, near, far));
        Thread.ofVirtual().start(() -> pump(number, far, near));
      }
    } catch (IOException e) {
      // The test has ended.
    }
  }

  private void pump(int number, Socket from, Socket to) {
    byte[] bytes = new byte[8_192];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
        if (number > silentUpTo) {
          out.write(bytes, 0, read);
          out.flush();
        }
      }
    } catch (IOException e) {
      // One side has closed its connection, so the other is closed too.
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
