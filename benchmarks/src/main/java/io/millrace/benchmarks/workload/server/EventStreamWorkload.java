package io.millrace.benchmarks.workload.server;

import io.millrace.benchmarks.peer.PeerKind;
import io.millrace.benchmarks.postgres.BenchmarkDatabase;
import io.millrace.benchmarks.report.Column;
import io.millrace.benchmarks.workload.BenchmarkContext;
import io.millrace.benchmarks.workload.Workload;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A workload that measures how much browsers that receive server-sent events cost a busy server.
 */
final class EventStreamWorkload implements Workload {

  private static final int TABS = 200;
  private static final int INSTANCES = 1_000;

  @Override
  public String id() {
    return "X9";
  }

  @Override
  public String title(BenchmarkContext context) {
    return "processor of a server at about %,d transitions/s, in percent of one core"
        .formatted(INSTANCES);
  }

  @Override
  public boolean includes(PeerKind peer) {
    return peer == PeerKind.MILLRACE;
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.lessIsBetter("without tabs", "without", 1),
        Column.lessIsBetter(TABS + " tabs", "with", 1),
        Column.lessIsBetter("added", "added", 1),
        Column.moreIsBetter("events/s of a tab", "events", 1));
  }

  @Override
  public Map<String, Double> run(BenchmarkContext context, PeerKind peer, String oneCase)
      throws Exception {
    int seconds = context.size(30, 2);
    BenchmarkDatabase database = context.server().create();
    Path folder = Files.createTempDirectory("millrace-benchmark-workflows");
    Path jar = TickingWorkflow.jar(folder);
    try (ServerProcess server = ServerProcess.start(database, folder)) {
      for (int i = 0; i < INSTANCES; i++) {
        server.post("/instances", "{\"type\":\"ticking\"}");
      }
      Thread.sleep(context.size(20_000, 1_000));
      double without = percent(server, seconds);
      AtomicLong events = new AtomicLong();
      List<Socket> tabs = new ArrayList<>();
      try {
        for (int i = 0; i < TABS; i++) {
          tabs.add(open(server.at("api/v1/events"), events));
        }
        Thread.sleep(context.size(5_000, 500));
        events.set(0);
        double with = percent(server, seconds);
        return Map.of(
            "without",
            without,
            "with",
            with,
            "added",
            with - without,
            "events",
            (double) events.get() / TABS / seconds);
      } finally {
        for (Socket tab : tabs) {
          tab.close();
        }
      }
    } finally {
      Files.deleteIfExists(jar);
      Files.deleteIfExists(folder);
      context.server().drop(database);
    }
  }

  private static double percent(ServerProcess server, int seconds) throws InterruptedException {
    double before = server.cpuSeconds();
    long begin = System.nanoTime();
    Thread.sleep(seconds * 1000L);
    return (server.cpuSeconds() - before) / ((System.nanoTime() - begin) / 1e9) * 100;
  }

  /** Opens a connection that reads events until it is closed. */
  private static Socket open(URI events, AtomicLong counter) throws IOException {
    Socket socket = new Socket(events.getHost(), events.getPort());
    String request =
        "GET "
            + events.getPath()
            + " HTTP/1.1\r\nHost: "
            + events.getAuthority()
            + "\r\nAccept: text/event-stream\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    Thread.ofVirtual().start(() -> count(socket, counter));
    return socket;
  }

  private static void count(Socket socket, AtomicLong counter) {
    byte[] buffer = new byte[8192];
    try (InputStream in = socket.getInputStream()) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        String text = new String(buffer, 0, read, StandardCharsets.UTF_8);
        counter.addAndGet(text.lines().filter(line -> line.startsWith("event:")).count());
      }
    } catch (IOException e) {
      // The tab was closed.
    }
  }
}
