package io.millrace.instance;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A process that runs workflows, as its row tells.
 *
 * @param identity who it is
 * @param life when it came, was last heard of, and went
 * @param load what it had to do at its last heartbeat
 * @param drain that it was asked to stop; null when not
 */
public record ExecutorInfo(
    long id, Identity identity, Life life, Load load, @Nullable Drain drain) {

  /**
   * Who an executor is.
   *
   * @param definitionIds ids of the stored definitions that it can run
   * @param version of Millrace
   */
  public record Identity(
      String host, long pid, String executorGroup, List<Integer> definitionIds, String version) {
    public Identity {
      definitionIds = List.copyOf(definitionIds);
    }

    /** The same executor with other definitions. */
    public Identity definitions(List<Integer> ids) {
      return new Identity(host, pid, executorGroup, ids, version);
    }
  }

  /**
   * An executor's times.
   *
   * @param started when it joined
   * @param active its last heartbeat
   * @param expires when its leases end unless it beats again
   * @param stopped when it left in good order; null when it has not
   * @param recovered when others had taken all that it held after its death; null when not
   */
  public record Life(
      Instant started,
      Instant active,
      Instant expires,
      @Nullable Instant stopped,
      @Nullable Instant recovered) {}

  /**
   * How much an executor has to do.
   *
   * @param running handlers that run
   * @param concurrency how many may run at the same time
   * @param held instances it holds
   * @param queued those of them that wait for a handler
   */
  public record Load(int running, int concurrency, int held, int queued) {
    /** Before the first heartbeat. */
    public static final Load NONE = new Load(0, 0, 0, 0);
  }

  /** A request to stop in good order. */
  public record Drain(Instant requested, String by) {}

  public Instant started() {
    return life.started;
  }

  public Instant active() {
    return life.active;
  }

  public Instant expires() {
    return life.expires;
  }

  public @Nullable Instant stopped() {
    return life.stopped;
  }

  public @Nullable Instant recovered() {
    return life.recovered;
  }
}
