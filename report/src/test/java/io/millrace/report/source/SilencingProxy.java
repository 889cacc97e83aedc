package io.millrace.report.source;

import io.millrace.report.ReportTestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A proxy in front of PostgreSQL that forwards until a given text is sent. Then it forwards nothing
 * more, and connections stay open.
 */
public final class SilencingProxy implements AutoCloseable {

  private final ServerSocket server;
  private final PGSimpleDataSource target;
  private final String text;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile boolean silent;

  public SilencingProxy(PGSimpleDataSource target, String text) throws IOException {
    this.server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    this.target = target;
    this.text = text;
    start(this::accept);
  }

  /** Returns the database behind the proxy, in an existing schema. */
  public PGSimpleDataSource database(String schema) {
    PGSimpleDataSource through = ReportTestDatabase.server();
    through.setServerNames(new String[] {"127.0.0.1"});
    through.setPortNumbers(new int[] {server.getLocalPort()});
    through.setCurrentSchema(schema);
    // A request to cancel a statement gets no answer either.
    through.setCancelSignalTimeout(1);
    return through;
  }

  private interface Job {
    void run() throws IOException;
  }

  private static void start(Job job) {
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try {
            job.run();
          } catch (IOException e) {
            // Closed by the test, or by one of the two sides.
          }
        });
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = server.accept();
      Socket upstream = new Socket(target.getServerNames()[0], target.getPortNumbers()[0]);
      sockets.add(client);
      sockets.add(upstream);
      start(() -> forward(client, upstream, true));
      start(() -> forward(upstream, client, false));
    }
  }

  private void forward(Socket from, Socket to, boolean watched) throws IOException {
    byte[] bytes = new byte[8192];
    InputStream in = from.getInputStream();
    OutputStream out = to.getOutputStream();
    StringBuilder sent = new StringBuilder();
    for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
      sent.append(new String(bytes, 0, n, StandardCharsets.ISO_8859_1));
      if (watched && sent.indexOf(text) >= 0) {
        silent = true;
      }
      if (!silent) {
        out.write(bytes, 0, n);
      }
    }
  }

  public boolean isSilent() {
    return silent;
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
