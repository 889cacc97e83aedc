package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.millrace.fixtures.store.StoreKind;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.WorkflowInstance;
import io.millrace.testing.SettableClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that all stores are equivalent: the same random calls have the same results on each of them
 * and leave the same tables. Therefore the simulator can rely on the memory store.
 *
 * <p>{@code script/prove races -Dtest=StoreModelTest -Dtests.seeds=1000} tries more seeds.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StoreModelTest {

  private static final int CALLS = 200;
  private static final int COMPARE_EVERY = 100;

  private final SettableClock clock = SettableClock.at(Instant.parse("2026-03-01T12:00:00.125Z"));
  private final Map<StoreKind, StoreKind.OpenStore> open = new EnumMap<>(StoreKind.class);
  private int runs;

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 3);
  }

  static LongStream moreSeeds() {
    return LongStream.rangeClosed(1, Long.getLong("tests.seeds", 30));
  }

  @BeforeAll
  void openAll() {
    for (StoreKind kind : StoreKind.values()) {
      open.put(kind, kind.open(clock));
    }
  }

  @AfterAll
  void closeAll() {
    open.values().forEach(StoreKind.OpenStore::close);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theSameCallsHaveTheSameResultsOnEveryStore(long seed) {
    compare(seed);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("moreSeeds")
  @Tag("races")
  void moreCallsHaveTheSameResultsOnEveryStore(long seed) {
    compare(seed);
  }

  private void compare(long seed) {
    // A seed may run twice on these stores.
    String prefix = "run" + ++runs + "-";
    Map<StoreKind, ModelStore> stores = new EnumMap<>(StoreKind.class);
    open.forEach((kind, opened) -> stores.put(kind, new ModelStore(opened.store(), prefix)));
    ModelStore memory = stores.get(StoreKind.MEMORY);
    ModelGenerator generator = new ModelGenerator(seed, memory);
    List<ModelOp> calls = new ArrayList<>();
    while (calls.size() < CALLS) {
      ModelOp call = generator.next();
      calls.add(call);
      if (call instanceof ModelOp.AdvanceClock advanceClock) {
        clock.advance(advanceClock.time());
      }
      same(seed, calls, results(stores, call));
      if (calls.size() % COMPARE_EVERY == 0) {
        sameTables(seed, calls, stores);
      }
    }
    assertSound(memory);
  }

  private static Map<StoreKind, Object> results(Map<StoreKind, ModelStore> stores, ModelOp call) {
    Map<StoreKind, Object> results = new EnumMap<>(StoreKind.class);
    stores.forEach((kind, store) -> results.put(kind, store.apply(call)));
    return results;
  }

  private static void sameTables(
      long seed, List<ModelOp> calls, Map<StoreKind, ModelStore> stores) {
    Map<String, Object> expected = stores.get(StoreKind.MEMORY).tables();
    Map<StoreKind, Map<String, Object>> all = new EnumMap<>(StoreKind.class);
    stores.forEach(
        (kind, store) -> all.put(kind, kind == StoreKind.MEMORY ? expected : store.tables()));
    for (String table : expected.keySet()) {
      Map<StoreKind, Object> values = new EnumMap<>(StoreKind.class);
      all.forEach((kind, tables) -> values.put(kind, tables.get(table)));
      same(seed, calls, values);
    }
  }

  private static void same(long seed, List<ModelOp> calls, Map<StoreKind, Object> values) {
    Object expected = values.get(StoreKind.MEMORY);
    values.forEach((kind, value) -> {
      if (!Objects.equals(value, expected)) {
        fail(
            "Seed %s, after call %s:%n%s%n%n%s and %s differ:%n%s%n%s%n%nThe calls so far:%n%s",
            seed,
            calls.size(),
            calls.getLast(),
            StoreKind.MEMORY,
            kind,
            expected,
            value,
            String.join("\n", calls.stream().map(Object::toString).toList()));
      }
    });
  }

  /** Asserts the invariants that hold in every store at any time. */
  private static void assertSound(ModelStore store) {
    Map<String, Object> tables = store.tables();
    for (int i = 0; i < store.instances(); i++) {
      WorkflowInstance instance = (WorkflowInstance) tables.get("instance " + i);
      if (instance != null) {
        List<?> history = (List<?>) tables.get("history " + i);
        String state = "s0";
        int leaseVersion = 0;
        for (int k = 0; k < history.size(); k++) {
          HistoryEntry historyEntry = (HistoryEntry) history.get(k);
          assertThat(historyEntry.seq()).isEqualTo(k + 1);
          assertThat(historyEntry.move().from()).isEqualTo(state);
          assertThat(historyEntry.author().leaseVersion()).isGreaterThanOrEqualTo(leaseVersion);
          state = historyEntry.move().to();
          leaseVersion = historyEntry.author().leaseVersion();
        }
        assertThat(instance.seq()).isEqualTo(history.size());
        assertThat(instance.state()).isEqualTo(state);
        assertThat(instance.timing().ended() != null)
            .isEqualTo(instance.position().status().isTerminal());
        assertThat(instance.children().open()).isBetween(0, instance.children().total());
        assertThat(instance.details().variableCount()).isEqualTo(store.variables(i).size());
      }
    }
  }
}
