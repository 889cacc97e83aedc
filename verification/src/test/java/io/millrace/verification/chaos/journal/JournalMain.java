package io.millrace.verification.chaos.journal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The journal's process. It receives lines of the form {@code number json} on a port of its own,
 * adds the time of arrival, appends them to the file in its argument, and answers with the number
 * after fsync; number 0 requests no answer. One fsync serves all lines received so far.
 */
public final class JournalMain {

  /** Prefix of the line on standard output that contains the port. */
  public static final String LISTENING = "LISTENING ";

  private static final int MAX_AT_ONCE = 2000;

  private record Line(String number, String json, OutputStream sender) {}

  private final FileChannel file;
  private final BlockingQueue<Line> lines = new LinkedBlockingQueue<>(20_000);

  private JournalMain(FileChannel file) {
    this.file = file;
  }

  public static void main(String[] args) throws IOException {
    FileChannel file =
        FileChannel.open(
            Path.of(args[0]), StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND);
    try (ServerSocket server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress())) {
      JournalMain journal = new JournalMain(file);
      Thread.ofPlatform().name("journal-writer").start(journal::write);
      System.out.println(LISTENING + server.getLocalPort());
      System.out.flush();
      while (true) {
        Socket socket = server.accept();
        socket.setTcpNoDelay(true);
        Thread.ofPlatform().name("journal-reader").start(() -> journal.read(socket));
      }
    }
  }

  private void read(Socket socket) {
    try (socket;
        BufferedReader reader =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
      OutputStream sender = socket.getOutputStream();
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        int space = line.indexOf(' ');
        // The last line of a killed process may be incomplete.
        if (space > 0 && line.endsWith("}")) {
          lines.put(
              new Line(
                  line.substring(0, space),
                  "{\"at\":" + micros() + "," + line.substring(space + 2) + "\n",
                  sender));
        }
      }
    } catch (IOException e) {
      System.out.println("A writer has gone: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static long micros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }

  private void write() {
    List<Line> batch = new ArrayList<>();
    try {
      while (true) {
        batch.add(lines.take());
        lines.drainTo(batch, MAX_AT_ONCE);
        append(batch);
        batch.forEach(JournalMain::acknowledge);
        batch.clear();
      }
    } catch (IOException | InterruptedException e) {
      System.out.println("The journal cannot be written: " + e);
      Runtime.getRuntime().halt(1);
    }
  }

  private void append(List<Line> batch) throws IOException {
    StringBuilder text = new StringBuilder();
    batch.forEach(line -> text.append(line.json));
    ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      file.write(bytes);
    }
    file.force(false);
  }

  private static void acknowledge(Line line) {
    if (line.number.equals("0")) {
      return;
    }
    try {
      line.sender.write((line.number + "\n").getBytes(StandardCharsets.UTF_8));
      line.sender.flush();
    } catch (IOException e) {
      // The writer was killed; the line stays.
      System.out.println("Nobody waits for line " + line.number + " any more: " + e);
    }
  }
}
