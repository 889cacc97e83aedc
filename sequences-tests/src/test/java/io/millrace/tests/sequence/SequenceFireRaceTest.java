package io.millrace.tests.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.fixtures.Proxies;
import io.millrace.fixtures.TestDatabase;
import io.millrace.schedule.DataWindow;
import io.millrace.schedule.MisfirePolicy;
import io.millrace.schedule.OverlapPolicy;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.FireBatchResult;
import io.millrace.store.Store;
import io.millrace.store.sql.SqlStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests of three whole engines on one PostgreSQL that fire the same due slots: each slot becomes
 * one execution, which runs once. {@code -Dtests.slots=N} sets another number.
 */
@Timeout(300)
@Tag("races")
class SequenceFireRaceTest {

  private static final int ENGINES = 3;
  private static final int SLOTS_EACH = 50;
  private static final int SLOTS = Integer.getInteger("tests.slots", 10_000);
  private static final int WORKFLOWS = SLOTS / SLOTS_EACH;
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration LIMIT = Duration.ofMinutes(4);

  /** The identity of a slot that ran. */
  private record Ran(String sequenceId, DataWindow window) {}

  private final TestDatabase database = TestDatabase.postgres();
  private final List<HikariDataSource> pools = new ArrayList<>();
  private final List<Engine> engines = new ArrayList<>();
  private final Map<Ran, AtomicInteger> runs = new ConcurrentHashMap<>();
  private final CountDownLatch left = new CountDownLatch(SLOTS);
  private final AtomicInteger[] made = new AtomicInteger[ENGINES];

  @AfterEach
  void close() {
    engines.forEach(Engine::close);
    pools.forEach(HikariDataSource::close);
    database.close();
  }

  private Engine engine(int number) {
    HikariDataSource pool = database.open(6);
    pools.add(pool);
    made[number] = new AtomicInteger();
    Engine engine =
        Engine.builder()
            .store(counting(SqlStore.open(pool, SqlStore.Options.DEFAULT), made[number]))
            .task(
                Task.of("KPI", "Report"),
                task -> {
                  Ran ran = new Ran(task.sequenceId(), task.window());
                  runs.computeIfAbsent(ran, key -> new AtomicInteger()).incrementAndGet();
                  left.countDown();
                })
            .start();
    engines.add(engine);
    return engine;
  }

  private static Store counting(Store store, AtomicInteger made) {
    SequenceStore schedules =
        Proxies.proxy(
            SequenceStore.class,
            (method, args) -> {
              Object answer = Proxies.invoke(store.role(SequenceStore.class), method, args);
              if (answer instanceof FireBatchResult fireBatchResult) {
                made.addAndGet(fireBatchResult.executions().size());
              }
              return answer;
            });
    return Proxies.withRole(store, SequenceStore.class, schedules);
  }

  @Test
  void everySlotBecomesOneExecution() throws InterruptedException {
    Instant first = Instant.now().truncatedTo(ChronoUnit.MINUTES).minus(Duration.ofDays(30));
    Schedule schedule =
        Schedule.every(MINUTE, first)
            .misfire(MisfirePolicy.ALL)
            .overlap(OverlapPolicy.ALLOW)
            .catchUpLimit(SLOTS_EACH)
            .until(first.plus(MINUTE.multipliedBy(SLOTS_EACH - 1)));
    for (int i = 0; i < ENGINES; i++) {
      engine(i);
    }
    for (int i = 0; i < WORKFLOWS; i++) {
      engines.getFirst().sequences().add(TaskSequence.of("w" + i, "Report", schedule).task("KPI"));
    }

    database.execute(
        "UPDATE millrace_sequence SET next_run_at = '%1$s', due_at = '%1$s'".formatted(first));

    assertThat(left.await(LIMIT.toSeconds(), TimeUnit.SECONDS))
        .as("%s of %s slots have not run", left.getCount(), SLOTS)
        .isTrue();
    engines.forEach(Engine::close);
    assertThat(runs).hasSize(SLOTS);
    assertThat(runs.values()).allMatch(times -> times.get() == 1);
    assertThat(database.number("SELECT count(*) FROM millrace_instance WHERE status = 'finished'"))
        .isEqualTo(SLOTS);
    assertThat(database.number("SELECT count(*) FROM millrace_instance")).isEqualTo(SLOTS);
    assertThat(database.number("SELECT count(*) FROM millrace_slot_record")).isEqualTo(SLOTS);
    assertThat(
            database.number(
                """
                SELECT count(*) FROM (SELECT DISTINCT f.sequence_id, f.slot_at
                  FROM millrace_slot_record f JOIN millrace_instance w ON w.id = f.execution_id
                  WHERE f.outcome = 'FIRED' AND f.fire_number = 0) slots
                """))
        .isEqualTo(SLOTS);
    assertThat(made)
        .extracting(AtomicInteger::get)
        .filteredOn(number -> number > 0)
        .hasSizeGreaterThan(1);
    assertThat(made[0].get() + made[1].get() + made[2].get()).isEqualTo(SLOTS);
  }
}
