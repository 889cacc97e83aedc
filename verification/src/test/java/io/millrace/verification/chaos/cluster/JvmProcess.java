package io.millrace.verification.chaos.cluster;

import io.millrace.fixtures.JavaCommand;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A JVM with the same class path, and the signals that it can be sent. */
final class JvmProcess {

  private static final int MEGABYTES = 256;

  private final Process process;

  private JvmProcess(Process process) {
    this.process = process;
  }

  /**
   * Starts a main class.
   *
   * @param log file to which its output is appended
   */
  static JvmProcess start(
      Class<?> main, List<String> args, Map<String, String> environment, File log)
      throws IOException {
    ProcessBuilder builder =
        new JavaCommand(
                "-Xmx" + MEGABYTES + "m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
                "-Dorg.slf4j.simpleLogger.showDateTime=true",
                "-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS")
            .builder(main, args)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log));
    builder.environment().putAll(environment);
    return new JvmProcess(builder.start());
  }

  long pid() {
    return process.pid();
  }

  void whenEnded(Runnable action) {
    Thread.ofPlatform()
        .daemon()
        .name("watch-" + pid())
        .start(() -> {
          process.onExit().join();
          action.run();
        });
  }

  boolean isAlive() {
    return process.isAlive();
  }

  int exitCode() {
    return process.exitValue();
  }

  /** Kills the process, like kill -9; returns when it has ended. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Sends SIGTERM. */
  void terminate() {
    process.destroy();
  }

  boolean hasEndedWithin(long millis) throws InterruptedException {
    return process.waitFor(millis, TimeUnit.MILLISECONDS);
  }

  /** Sends SIGSTOP. */
  void freeze() throws IOException, InterruptedException {
    signal("-STOP");
  }

  /** Sends SIGCONT. */
  void thaw() throws IOException, InterruptedException {
    signal("-CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    int code = new ProcessBuilder("kill", name, String.valueOf(pid())).start().waitFor();
    if (code != 0 && isAlive()) {
      throw new IOException("kill " + name + " " + pid() + " ended with " + code);
    }
  }
}
