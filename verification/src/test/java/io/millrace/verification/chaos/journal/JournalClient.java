package io.millrace.verification.chaos.journal;

import io.millrace.jackson3.Jackson3Codec;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A process's connection to the journal. Thread-safe. */
public final class JournalClient implements AutoCloseable {

  private final Jackson3Codec codec = new Jackson3Codec();
  private final Map<Long, CompletableFuture<Void>> waiting = new ConcurrentHashMap<>();
  private final Map<String, Object> source;
  private final Socket socket;
  private final Writer writer;
  private final AtomicLong last = new AtomicLong();
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private volatile @Nullable IOException broken;

  private JournalClient(Socket socket, Map<String, Object> source) throws IOException {
    this.socket = socket;
    this.source = source;
    this.writer =
        new BufferedWriter(
            new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.UTF_8));
    Thread.ofPlatform().daemon().name("journal-answers").start(this::read);
    Thread.ofPlatform().daemon().name("journal-lines").start(this::write);
  }

  /**
   * Connects to the journal's process.
   *
   * @param node name of the writer, part of every line
   */
  public static JournalClient connect(int port, String node) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    return new JournalClient(socket, Map.of("node", node, "pid", ProcessHandle.current().pid()));
  }

  /** Writes a line without waiting for its fsync. */
  public void note(String kind, Map<String, ?> fields) {
    send(0, json(kind, fields));
  }

  /** Writes a line; when this returns the line is on disk. An interrupt does not end the call. */
  public void record(String kind, Map<String, ?> fields) {
    String json = json(kind, fields);
    CompletableFuture<Void> written = new CompletableFuture<>();
    send(written, json);
    written.join();
  }

  private String json(String kind, Map<String, ?> fields) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("kind", kind);
    line.putAll(source);
    line.putAll(fields);
    return codec.encode(line);
  }

  private void send(CompletableFuture<Void> written, String json) {
    long number = last.incrementAndGet();
    waiting.put(number, written);
    send(number, json);
    IOException cause = broken;
    if (cause != null) {
      written.completeExceptionally(cause);
    }
  }

  private void send(long number, String json) {
    lines.add(number + " " + json + "\n");
  }

  /**
   * Writes lines on a thread of its own, because an interrupted handler would close the socket it
   * writes to.
   */
  private void write() {
    try {
      while (true) {
        writer.write(lines.take());
        if (lines.isEmpty()) {
          writer.flush();
        }
      }
    } catch (IOException e) {
      fail(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void read() {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        CompletableFuture<Void> written = waiting.remove(Long.parseLong(line));
        if (written != null) {
          written.complete(null);
        }
      }
      fail(new IOException("The journal's process has ended."));
    } catch (IOException e) {
      fail(e);
    }
  }

  private void fail(IOException cause) {
    broken = cause;
    waiting.values().forEach(written -> written.completeExceptionally(cause));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
