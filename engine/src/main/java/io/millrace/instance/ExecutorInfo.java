package io.millrace.instance;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A process that runs workflows, as its row tells.
 *
 * @param identity who it is
 * @param started when it joined
 * @param active its last heartbeat
 * @param expires when its leases end unless it beats again
 * @param stopped when it left in good order; null when it has not
 * @param recovered when others had taken all that it held after its death; null when not
 */
public record ExecutorInfo(
    long id,
    Identity identity,
    Instant started,
    Instant active,
    Instant expires,
    @Nullable Instant stopped,
    @Nullable Instant recovered) {

  /**
   * Who an executor is.
   *
   * @param definitionIds ids of the stored definitions that it can run
   */
  public record Identity(String host, long pid, String executorGroup, List<Integer> definitionIds) {
    public Identity {
      definitionIds = List.copyOf(definitionIds);
    }
  }
}
