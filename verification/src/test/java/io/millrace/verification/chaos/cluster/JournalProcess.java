package io.millrace.verification.chaos.cluster;

import io.millrace.verification.chaos.journal.JournalClient;
import io.millrace.verification.chaos.journal.JournalMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The journal of a run, in a process that no fault affects. */
public final class JournalProcess implements AutoCloseable {

  private static final int TRIES = 600;

  private final JvmProcess jvmProcess;
  private final Path file;
  private final int port;

  private JournalProcess(JvmProcess jvmProcess, Path file, int port) {
    this.jvmProcess = jvmProcess;
    this.file = file;
    this.port = port;
  }

  /** Starts the journal with a new file in {@code folder}. */
  public static JournalProcess start(Path folder) throws IOException, InterruptedException {
    Path file = folder.resolve("journal.jsonl");
    Path log = folder.resolve("journal.log");
    JvmProcess jvmProcess =
        JvmProcess.start(JournalMain.class, List.of(file.toString()), Map.of(), log.toFile());
    for (int i = 0; i < TRIES; i++) {
      for (String line : Files.readAllLines(log)) {
        if (line.startsWith(JournalMain.LISTENING)) {
          int port = Integer.parseInt(line.substring(JournalMain.LISTENING.length()));
          return new JournalProcess(jvmProcess, file, port);
        }
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
    jvmProcess.kill();
    throw new IOException("The journal's process did not start; its output is in " + log + ".");
  }

  public int port() {
    return port;
  }

  public Path file() {
    return file;
  }

  public JournalClient connect(String name) throws IOException {
    return JournalClient.connect(port, name);
  }

  @Override
  public void close() {
    jvmProcess.kill();
  }
}
