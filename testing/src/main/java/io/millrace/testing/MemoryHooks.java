package io.millrace.testing;

import io.millrace.instance.StopReason;
import io.millrace.store.AttachedWrite;
import io.millrace.store.AttachedWriteRules;
import io.millrace.store.NewInstance;
import io.millrace.store.SaveRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The parts that features have in the store beside the core. Filled while the store is constructed;
 * used only under the lock of {@link MemoryTables}.
 */
final class MemoryHooks {

  private static final String LACKS_TABLES =
      "it was created without those of the feature that makes such writes. Create it with them, as"
          + " in MemoryStore.with(clock, MemoryData.tables()).";

  /** A writer of attached writes of one type. */
  @FunctionalInterface
  interface AttachedWriter<W extends AttachedWrite> {
    void write(MemoryInstance row, W write, Instant now);
  }

  /** Work for a dead executor. */
  @FunctionalInterface
  interface ExecutorDeath {
    /**
     * Runs in the recovery.
     *
     * @param executor for messages: "Executor 5 on host"
     */
    void handle(long executorId, String executor, Instant now);
  }

  /** Work for an executor that stops in good order. */
  @FunctionalInterface
  interface ExecutorStop {
    void handle(long executorId, @Nullable StopReason reason, Instant now);
  }

  /** Work for an instance that had ended or waited for a person and goes on. */
  @FunctionalInterface
  interface Reopening {
    /**
     * Runs after the command.
     *
     * @param waits true if the instance waits for a person again
     */
    void reopened(long instanceId, boolean waits, Instant now);
  }

  /**
   * Rows that belong to executors.
   *
   * @param byGroup returns the executors that own rows of a group
   * @param owns true for an executor that owns a row
   */
  private record OwnedRows(Function<String, Stream<Long>> byGroup, LongPredicate owns) {}

  private final Map<Class<?>, Object> roles = new LinkedHashMap<>();
  private final Map<Class<?>, AttachedWriter<AttachedWrite>> writers = new LinkedHashMap<>();
  private final List<ExecutorDeath> deaths = new ArrayList<>();
  private final List<ExecutorStop> stops = new ArrayList<>();
  private final List<OwnedRows> owned = new ArrayList<>();
  private final List<Reopening> reopenings = new ArrayList<>();
  private final List<LongPredicate> kept = new ArrayList<>();

  <R> void role(Class<R> type, R role) {
    roles.put(type, role);
  }

  <W extends AttachedWrite> void attached(Class<W> type, AttachedWriter<W> writer) {
    writers.put(type, (row, write, now) -> writer.write(row, type.cast(write), now));
  }

  void executorDied(ExecutorDeath hook) {
    deaths.add(hook);
  }

  void executorStopped(ExecutorStop hook) {
    stops.add(hook);
  }

  void owns(Function<String, Stream<Long>> byGroup, LongPredicate owns) {
    owned.add(new OwnedRows(byGroup, owns));
  }

  void reopening(Reopening hook) {
    reopenings.add(hook);
  }

  /**
   * @param keeps true for an instance that retention must not remove yet
   */
  void keeps(LongPredicate keeps) {
    kept.add(keeps);
  }

  /** Returns a role of a feature; null if the store has no such feature. */
  <R> @Nullable R find(Class<R> type) {
    return type.cast(roles.get(type));
  }

  /**
   * Returns a role of a feature.
   *
   * @throws IllegalStateException if the store has no such feature
   */
  <R> R get(Class<R> type) {
    R role = find(type);
    if (role == null) {
      throw new IllegalStateException(
          "This store has no "
              + type.getSimpleName()
              + ". Create it with the part of the feature that has it, as in"
              + " MemoryStore.with(clock, MemoryData.tables()).");
    }
    return role;
  }

  /** Refuses a transition with attached writes that no feature can write. */
  void requireWriters(SaveRequest save) {
    AttachedWriteRules.check(save, writers::containsKey, () -> LACKS_TABLES);
  }

  /** Refuses a start with attached writes that no feature can write. */
  void requireWriters(NewInstance instance) {
    AttachedWriteRules.check(instance, writers::containsKey, () -> LACKS_TABLES);
  }

  /** Writes an attached write, which has a writer. */
  void write(MemoryInstance row, AttachedWrite write, Instant now) {
    Objects.requireNonNull(writers.get(write.getClass())).write(row, write, now);
  }

  void died(long executorId, String executor, Instant now) {
    deaths.forEach(hook -> hook.handle(executorId, executor, now));
  }

  void stopped(long executorId, @Nullable StopReason reason, Instant now) {
    stops.forEach(hook -> hook.handle(executorId, reason, now));
  }

  /** Returns the executors that own rows of a group. */
  Stream<Long> owners(String executorGroup) {
    return owned.stream().flatMap(rows -> rows.byGroup.apply(executorGroup));
  }

  /** Returns true if the executor owns a row. */
  boolean isOwner(long executorId) {
    return owned.stream().anyMatch(rows -> rows.owns.test(executorId));
  }

  void reopened(long instanceId, boolean waits, Instant now) {
    reopenings.forEach(hook -> hook.reopened(instanceId, waits, now));
  }

  /** Returns true if retention must not remove the instance yet. */
  boolean isKept(long instanceId) {
    return kept.stream().anyMatch(keeps -> keeps.test(instanceId));
  }
}
