package io.millrace.verification.chaos.cluster;

import io.millrace.verification.chaos.journal.JournalClient;
import io.millrace.verification.chaos.node.NodeMain;
import io.millrace.verification.chaos.postgres.PostgresServer;
import io.millrace.verification.chaos.proxy.TcpProxy;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An engine process behind its own proxy. A process that ends unexpectedly is started again, as by
 * a service manager. Thread-safe.
 */
public final class ClusterNode {

  private static final long RESTART_MILLIS = 1_000;

  /**
   * The configuration of a node.
   *
   * @param connections size of its pool
   * @param clock its wrong clock; null for the true one
   * @param journalPort port of the journal to which it writes
   */
  record Config(
      int number,
      int connections,
      @Nullable FakeClock clock,
      int journalPort,
      File log,
      long seed) {}

  private final Config config;
  private final TcpProxy proxy;
  private final JournalClient journal;
  private @Nullable JvmProcess jvmProcess;
  private boolean wanted;
  private boolean closed;

  ClusterNode(Config config, TcpProxy proxy, JournalClient journal) {
    this.config = config;
    this.proxy = proxy;
    this.journal = journal;
  }

  public int number() {
    return config.number;
  }

  public String name() {
    return "node" + config.number;
  }

  public TcpProxy proxy() {
    return proxy;
  }

  /** Starts the node unless it runs or is closed. */
  public synchronized void start() {
    if (closed || (jvmProcess != null && jvmProcess.isAlive())) {
      return;
    }
    wanted = true;
    FakeClock clock = config.clock;
    try {
      JvmProcess started =
          JvmProcess.start(
              NodeMain.class,
              List.of(
                  name(),
                  PostgresServer.url(proxy.port(), name()),
                  "" + config.journalPort,
                  "" + config.connections,
                  "" + config.seed),
              clock == null ? Map.of() : clock.environment(),
              config.log);
      jvmProcess = started;
      journal.record("NODE_STARTED", Map.of("name", name(), "process", started.pid()));
      started.whenEnded(() -> ended(started));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void ended(JvmProcess gone) {
    forget(gone);
    synchronized (this) {
      if (!wanted || jvmProcess != gone) {
        return;
      }
    }
    journal.record(
        "NODE_DIED", Map.of("name", name(), "process", gone.pid(), "code", gone.exitCode()));
    CompletableFuture.delayedExecutor(RESTART_MILLIS, TimeUnit.MILLISECONDS)
        .execute(() -> restart(gone));
  }

  private synchronized void restart(JvmProcess gone) {
    if (wanted && jvmProcess == gone) {
      start();
    }
  }

  private void forget(JvmProcess gone) {
    try {
      if (config.clock != null) {
        FakeClock.forget(gone.pid());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the process, which is not restarted when it ends; null if there is none. */
  synchronized @Nullable JvmProcess detachProcess() {
    wanted = false;
    return jvmProcess;
  }

  /** Returns the process id; 0 if there is no process. */
  public synchronized long pid() {
    return jvmProcess == null ? 0 : jvmProcess.pid();
  }

  /** Kills the process, like kill -9. */
  public void kill() {
    JvmProcess victim = detachProcess();
    if (victim != null) {
      victim.kill();
    }
  }

  /** Ends the node permanently. */
  void close() throws IOException {
    synchronized (this) {
      closed = true;
    }
    JvmProcess last = detachProcess();
    if (last != null) {
      last.kill();
      forget(last);
    }
    proxy.close();
  }

  public synchronized void freeze() throws IOException, InterruptedException {
    if (jvmProcess != null && jvmProcess.isAlive()) {
      jvmProcess.freeze();
    }
  }

  public synchronized void thaw() throws IOException, InterruptedException {
    if (jvmProcess != null && jvmProcess.isAlive()) {
      jvmProcess.thaw();
    }
  }
}
