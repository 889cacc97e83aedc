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
 * An engine process behind its own proxy. One that ends without being asked to is started again, as
 * a service manager would do. Thread-safe.
 */
public final class Node {

  private static final long RESTART_MILLIS = 1_000;

  /**
   * What a node is made of.
   *
   * @param connections the size of its pool
   * @param clock its wrong clock; null for the true one
   * @param journalPort where it writes
   */
  record Parts(
      int number,
      int connections,
      @Nullable FakeClock clock,
      int journalPort,
      File log,
      long seed) {}

  private final Parts parts;
  private final TcpProxy proxy;
  private final JournalClient journal;
  private @Nullable Jvm jvm;
  private boolean wanted;
  private boolean closed;

  Node(Parts parts, TcpProxy proxy, JournalClient journal) {
    this.parts = parts;
    this.proxy = proxy;
    this.journal = journal;
  }

  public int number() {
    return parts.number;
  }

  public String name() {
    return "node" + parts.number;
  }

  public TcpProxy proxy() {
    return proxy;
  }

  /** Starts it unless it runs or is closed. */
  public synchronized void start() {
    if (closed || (jvm != null && jvm.isAlive())) {
      return;
    }
    wanted = true;
    FakeClock clock = parts.clock;
    try {
      Jvm started =
          Jvm.start(
              NodeMain.class,
              List.of(
                  name(),
                  PostgresServer.url(proxy.port(), name()),
                  "" + parts.journalPort,
                  "" + parts.connections,
                  "" + parts.seed),
              clock == null ? Map.of() : clock.environment(),
              parts.log);
      jvm = started;
      journal.record("NODE_STARTED", Map.of("name", name(), "process", started.pid()));
      started.whenEnded(() -> ended(started));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void ended(Jvm gone) {
    forget(gone);
    synchronized (this) {
      if (!wanted || jvm != gone) {
        return;
      }
    }
    journal.record(
        "NODE_DIED", Map.of("name", name(), "process", gone.pid(), "code", gone.exitCode()));
    CompletableFuture.delayedExecutor(RESTART_MILLIS, TimeUnit.MILLISECONDS)
        .execute(() -> restart(gone));
  }

  private synchronized void restart(Jvm gone) {
    if (wanted && jvm == gone) {
      start();
    }
  }

  private void forget(Jvm gone) {
    try {
      if (parts.clock != null) {
        FakeClock.forget(gone.pid());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its process, which shall not be started again when it ends; null when there is none. */
  synchronized @Nullable Jvm release() {
    wanted = false;
    return jvm;
  }

  /** The number of its process; 0 when it has none. */
  public synchronized long pid() {
    return jvm == null ? 0 : jvm.pid();
  }

  /** As by kill -9. */
  public void kill() {
    Jvm victim = release();
    if (victim != null) {
      victim.kill();
    }
  }

  /** Ends it for good. */
  void close() throws IOException {
    synchronized (this) {
      closed = true;
    }
    Jvm last = release();
    if (last != null) {
      last.kill();
      forget(last);
    }
    proxy.close();
  }

  public synchronized void freeze() throws IOException, InterruptedException {
    if (jvm != null && jvm.isAlive()) {
      jvm.freeze();
    }
  }

  public synchronized void thaw() throws IOException, InterruptedException {
    if (jvm != null && jvm.isAlive()) {
      jvm.thaw();
    }
  }
}
