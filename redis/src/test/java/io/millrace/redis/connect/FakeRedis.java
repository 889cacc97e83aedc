package io.millrace.redis.connect;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A server with programmed replies, for servers that cannot be started here, such as Redis 5. */
final class FakeRedis implements AutoCloseable {

  private final ServerSocket server;
  private final Function<List<String>, String> answers;
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger open = new AtomicInteger();

  /**
   * Starts the server.
   *
   * @param answers the bytes of a reply without its line end; "" for +OK
   */
  FakeRedis(Function<List<String>, String> answers) {
    this.answers = answers;
    try {
      server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  String uri() {
    return "redis://127.0.0.1:" + server.getLocalPort();
  }

  /** Returns the number of connections so far. */
  int connections() {
    return connections.get();
  }

  /** Returns the number of open connections. */
  int open() {
    return open.get();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        connections.incrementAndGet();
        open.incrementAndGet();
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      OutputStream out = socket.getOutputStream();
      for (List<String> command = read(in); command != null; command = read(in)) {
        String answer = answers.apply(command);
        out.write(((answer.isEmpty() ? "+OK" : answer) + "\r\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
      }
    } catch (IOException e) {
      // The client has closed the connection.
    } finally {
      open.decrementAndGet();
    }
  }

  private static @Nullable List<String> read(BufferedReader in) throws IOException {
    String head = in.readLine();
    if (head == null) {
      return null;
    }
    List<String> command = new ArrayList<>();
    for (int i = Integer.parseInt(head.substring(1)); i > 0; i--) {
      in.readLine();
      command.add(in.readLine());
    }
    return command;
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
