package io.millrace.instance;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A process that runs workflows, as its row tells.
 *
 * @param identity who it is
 * @param timestamps when it came, was last heard of, and went
 * @param load what it had to do at its last heartbeat
 * @param readiness how far it is on its way into work, or out of it
 * @param drain that it was asked to stop, or stops by itself; null when not
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
   * @param node the place in the cluster that it takes
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
   * A place in the cluster, which one executor after another takes.
   *
   * @param name the same for an executor and its successor
   * @param began when the process began, or the executor that took over in it; null when that is
   *     not known
   * @param drainGrace how long handlers may go on when it stops, unless who asks for that says
   *     otherwise
   */
  public record NodeInfo(String name, @Nullable Instant began, Duration drainGrace) {}

  /**
   * An executor's times.
   *
   * @param started when it joined
   * @param active its last heartbeat
   * @param expires when its leases end unless it beats again
   * @param stopped when it left in good order; null when it has not
   * @param recovered when others had taken all that it held after its death; null when not
   */
  public record Timestamps(
      Instant started,
      Instant active,
      Instant expires,
      @Nullable Instant stopped,
      @Nullable Instant recovered) {}

  /**
   * The load of an executor.
   *
   * @param running handlers that run
   * @param concurrency how many may run at the same time
   * @param held instances it holds
   * @param queued those of them that wait for a handler
   * @param heapPercent how full the heap was after the last collection; null when that is not known
   */
  public record Load(
      int running, int concurrency, int held, int queued, @Nullable Integer heapPercent) {
    /** Before the first heartbeat. */
    public static final Load NONE = new Load(0, 0, 0, 0);

    public Load(int running, int concurrency, int held, int queued) {
      this(running, concurrency, held, queued, null);
    }
  }

  /**
   * The readiness of an executor to take work.
   *
   * @param ready since when it has been ready for work; null when it is not yet
   * @param warm true when what it is most likely to need was loaded before it was ready
   * @param setup from its beginning until it was ready; null when it is not yet
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
   * A stop in good order, asked for or begun.
   *
   * @param deadline when handlers that still run are cancelled
   */
  public record Drain(Instant requested, String by, StopReason reason, Instant deadline) {}

  public ExecutorState state() {
    return readiness.state;
  }

  public Instant started() {
    return timestamps.started;
  }

  public Instant active() {
    return timestamps.active;
  }

  public Instant expires() {
    return timestamps.expires;
  }

  /**
   * True while its leases run and it has not stopped.
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
