package io.millrace.instance;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stored executor.
 *
 * @param identity its process, group and node
 * @param timestamps its start, last heartbeat and end
 * @param load its load at the last heartbeat
 * @param readiness its state between start and stop
 * @param drain the stop that was ordered or has started; null for none
 */
public record ExecutorInfo(
    long id,
    Identity identity,
    Timestamps timestamps,
    Load load,
    Readiness readiness,
    @Nullable Drain drain) {

  /**
   * The identity of an executor.
   *
   * @param definitionIds ids of the stored definitions that it can run
   * @param version of Millrace
   * @param node its node in the cluster
   */
  public record Identity(
      String host,
      long pid,
      String executorGroup,
      List<Integer> definitionIds,
      String version,
      NodeInfo node) {
    public Identity {
      definitionIds = List.copyOf(definitionIds);
    }

    /** Creates an identity whose node is the name of the machine. */
    public Identity(
        String host, long pid, String executorGroup, List<Integer> definitionIds, String version) {
      this(
          host,
          pid,
          executorGroup,
          definitionIds,
          version,
          new NodeInfo(host, null, Duration.ofMinutes(5)));
    }

    /** Returns a copy with other definitions. */
    public Identity definitions(List<Integer> ids) {
      return new Identity(host, pid, executorGroup, ids, version, node);
    }
  }

  /**
   * A node of the cluster, which runs one executor after another.
   *
   * @param name the same for an executor and its successor
   * @param processStarted when the process started, or the executor that took over in it; null if
   *     unknown
   * @param drainGrace how long handlers may go on when it stops, unless the request sets another
   *     grace
   */
  public record NodeInfo(String name, @Nullable Instant processStarted, Duration drainGrace) {}

  /**
   * The timestamps of an executor.
   *
   * @param started when it joined
   * @param heartbeat its last heartbeat
   * @param expires when its leases end unless it sends another heartbeat
   * @param stopped when it stopped in good order; null if it has not
   * @param recovered when others had recovered all that it held at its death; null if they have not
   */
  public record Timestamps(
      Instant started,
      Instant heartbeat,
      Instant expires,
      @Nullable Instant stopped,
      @Nullable Instant recovered) {}

  /**
   * The load of an executor.
   *
   * @param runningHandlers number of handlers that run
   * @param concurrency maximum number of handlers at the same time
   * @param held instances it holds
   * @param queued held instances that wait for a handler
   * @param heapPercent how full the heap was after the last collection; null if unknown
   */
  public record Load(
      int runningHandlers, int concurrency, int held, int queued, @Nullable Integer heapPercent) {
    /** Load before the first heartbeat. */
    public static final Load NONE = new Load(0, 0, 0, 0);

    public Load(int runningHandlers, int concurrency, int held, int queued) {
      this(runningHandlers, concurrency, held, queued, null);
    }
  }

  /**
   * The readiness of an executor to claim work.
   *
   * @param ready since when it has been ready for work; null if it is not yet
   * @param warm true if the data that it most likely needs was loaded before it was ready
   * @param setup time from its start until it was ready; null if it is not yet
   */
  public record Readiness(
      ExecutorState state, @Nullable Instant ready, boolean warm, @Nullable Duration setup) {
    /** The readiness of a new executor. */
    public static final Readiness NEW = new Readiness(ExecutorState.ACTIVE, null, false, null);

    /** Returns a copy in another state. */
    public Readiness in(ExecutorState other) {
      return new Readiness(other, ready, warm, setup);
    }
  }

  /**
   * A stop in good order, which an operator has ordered or the executor has started on its own.
   *
   * @param by the operator, or the executor's own process
   * @param deadline when handlers that still run are cancelled
   */
  public record Drain(Instant requested, String by, StopReason reason, Instant deadline) {}

  public ExecutorState state() {
    return readiness.state;
  }

  public Instant started() {
    return timestamps.started;
  }

  public Instant heartbeat() {
    return timestamps.heartbeat;
  }

  public Instant expires() {
    return timestamps.expires;
  }

  /**
   * Returns true while its leases run and it has not stopped.
   *
   * @param now by the clock of the database
   */
  public boolean isAlive(Instant now) {
    return stopped() == null && recovered() == null && expires().isAfter(now);
  }

  public @Nullable Instant stopped() {
    return timestamps.stopped;
  }

  public @Nullable Instant recovered() {
    return timestamps.recovered;
  }
}
