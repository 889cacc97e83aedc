package io.millrace.tests.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.Proxies;
import io.millrace.fixtures.TestDatabase;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.Task;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.SlotOutcome;
import io.millrace.store.SequenceStore.StoredSlotRecord;
import io.millrace.store.Store;
import io.millrace.store.StoreException;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Tests of very many slots that are due at once, as after an outage of all nodes. */
@Timeout(300)
@Tag("races")
class CatchUpTest extends SequenceFixture {

  private static final Schedule MINUTELY = Schedule.every(Duration.ofMinutes(1));
  private static final int MANY = 500;

  private final Set<String> ran = new HashSet<>();

  private void add(int sequences) {
    for (int i = 0; i < sequences; i++) {
      sequences().add(sequence("w" + i, MINUTELY, "KPI"));
    }
  }

  @Test
  void whatWasDueForDaysIsSoonWritten() {
    try (TestDatabase database = TestDatabase.postgres(4)) {
      run(
          ManualEngine.defaultSettings(),
          clock ->
              SqlStore.open(database.pool(), new SqlStore.Options(SchemaMode.CREATE, clock, false)),
          builder -> builder.task(Task.of("KPI", TYPE), task -> ran.add(task.sequenceId())));
      add(MANY);
      engine.clock().advance(DAY.multipliedBy(3));

      engine.advance(Duration.ofSeconds(5));

      assertThat(ran).hasSize(MANY);
      List<StoredSlotRecord> records = sequences().slotRecords("w7", null, 1_000);
      assertThat(records.getFirst().slotRecord().outcome()).isEqualTo(SlotOutcome.FIRED);
      assertThat(records.stream().mapToInt(stored -> stored.slotRecord().count()).sum())
          .isEqualTo((int) DAY.multipliedBy(3).toMinutes());
      assertThat(records).hasSizeLessThan(110);
      close();
      engine = null;
    }
  }

  /** Simulates a transaction that takes longer than the database allows. */
  @Test
  @ResourceLock(Resources.SYSTEM_ERR)
  void fewerAreTakenAtATimeAfterAFailure() {
    List<Integer> limits = new ArrayList<>();
    run(
        ManualEngine.defaultSettings(),
        clock -> refusingMoreThan(40, new MemoryStore(clock), limits),
        builder -> builder.task(Task.of("KPI", TYPE), task -> ran.add(task.sequenceId())));
    add(200);

    String logged = logOf(() -> engine.advance(Duration.ofMinutes(3)));

    assertThat(ran).hasSize(200);
    assertThat(limits).startsWith(500);
    assertThat(limits).contains(250, 125, 62, 31);
    assertThat(logged).containsOnlyOnce("Due sequences cannot be fired, up to 500 at a time");
  }

  @Test
  void afterAnOutageAsManyAsEverAreTaken() {
    List<Integer> limits = new ArrayList<>();
    int[] most = {0};
    run(
        ManualEngine.defaultSettings(),
        clock -> refusing(most, new MemoryStore(clock), limits),
        builder -> builder.task(Task.of("KPI", TYPE), task -> ran.add(task.sequenceId())));
    add(3);
    engine.advance(Duration.ofMinutes(2));
    assertThat(limits).endsWith(1);
    assertThat(ran).isEmpty();

    most[0] = Integer.MAX_VALUE;
    engine.advance(Duration.ofMinutes(90));

    assertThat(ran).hasSize(3);
    assertThat(limits).endsWith(500);
  }

  private static Store refusingMoreThan(int most, Store store, List<Integer> limits) {
    return refusing(new int[] {most}, store, limits);
  }

  private static Store refusing(int[] most, Store store, List<Integer> limits) {
    SequenceStore schedules =
        Proxies.proxy(
            SequenceStore.class,
            (method, args) -> {
              if (method.getName().equals("fireDue")) {
                limits.add((Integer) args[1]);
                if ((Integer) args[1] > most[0]) {
                  throw new StoreException("planned: it takes too long", false, null);
                }
              }
              return Proxies.invoke(store.role(SequenceStore.class), method, args);
            });
    return Proxies.withRole(store, SequenceStore.class, schedules);
  }
}
