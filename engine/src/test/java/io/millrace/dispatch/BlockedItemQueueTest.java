package io.millrace.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Items that another transaction blocks are written beside the others. */
class BlockedItemQueueTest {

  private static final int MAIN = 0;
  private static final int ASIDE = 1;
  private static final int MAX_ROUNDS = 10_000;

  private final FakeRuntime fake = new FakeRuntime();
  private final Set<Integer> blocked = new HashSet<>();
  private final List<List<Integer>> mainBatches = new ArrayList<>();
  private final List<List<Integer>> asideBatches = new ArrayList<>();
  private final List<Integer> done = new ArrayList<>();
  private final List<Integer> failed = new ArrayList<>();
  private final List<Integer> delays = new ArrayList<>();
  private List<List<Integer>> batches = mainBatches;
  private Duration lockWait = Duration.ZERO;
  private Duration tryTime = Duration.ZERO;
  private StoreException fault = StoreException.blocked("blocked", new IllegalStateException());

  private List<Integer> write(List<Integer> items) {
    if (items.stream().anyMatch(blocked::contains)) {
      fake.advance(lockWait);
    }
    return probe(items);
  }

  private List<Integer> probe(List<Integer> items) {
    batches.add(List.copyOf(items));
    fake.advance(tryTime);
    if (items.stream().anyMatch(blocked::contains)) {
      throw fault;
    }
    return items;
  }

  /** Items over 100 have a key that others may hold; 201 and 301 have the same. */
  private static Set<Integer> keys(Integer item) {
    return item > 100 ? Set.of(item % 100) : Set.of();
  }

  private Batcher<Integer, Integer> retrying() {
    return Batcher.retrying(
        fake.runtime(),
        "test",
        this::write,
        BlockedItemQueueTest::keys,
        (items, tries, cause) -> delays.add(tries));
  }

  private Batcher<Integer, Integer> failFast() {
    return Batcher.failFast(
        fake.runtime(), "test", this::write, this::probe, BlockedItemQueueTest::keys);
  }

  private void submit(Batcher<Integer, Integer> batcher, Integer... items) {
    for (Integer item : items) {
      batcher.submit(
          item,
          new Batcher.Callback<>() {
            @Override
            public void done(Integer result) {
              done.add(item);
            }

            @Override
            public void failed(StoreException cause) {
              failed.add(item);
            }
          });
    }
  }

  private Duration round(int loop) {
    batches = loop == MAIN ? mainBatches : asideBatches;
    return fake.tick(loop);
  }

  /** Runs rounds until the loop pauses. Returns the pause. */
  private Duration settle(int loop) {
    for (int i = 0; i < MAX_ROUNDS; i++) {
      Duration rest = round(loop);
      if (!rest.isZero()) {
        return rest;
      }
    }
    throw new AssertionError("The loop never rests");
  }

  /** Advances the time until an item fails. Returns that time. */
  private Duration untilFailed() {
    Duration waited = Duration.ZERO;
    Duration rest = settle(ASIDE);
    while (failed.isEmpty()) {
      fake.advance(rest);
      waited = waited.plus(rest);
      rest = settle(ASIDE);
    }
    return waited;
  }

  @Test
  void noBatchAfterTheFirstContainsTheBlockedItem() {
    blocked.add(102);
    Batcher<Integer, Integer> batcher = retrying();
    submit(batcher, 1, 102, 3);
    settle(MAIN);
    submit(batcher, 4, 5);
    fake.advance(Duration.ofSeconds(1));
    settle(MAIN);

    assertThat(mainBatches).containsExactly(List.of(1, 102, 3), List.of(1, 3), List.of(4, 5));
    assertThat(done).containsExactly(1, 3, 4, 5);
    assertThat(batcher.pending()).isEqualTo(1);
  }

  @Test
  void aBlockedItemThatComesAloneDoesNotHoldUpTheNext() {
    blocked.add(1);
    Batcher<Integer, Integer> batcher = retrying();
    submit(batcher, 1);
    settle(MAIN);
    submit(batcher, 2);
    settle(MAIN);

    assertThat(mainBatches).containsExactly(List.of(1), List.of(2));
    assertThat(done).containsExactly(2);
  }

  @Test
  void aBlockedItemIsRepeatedUntilItPasses() {
    blocked.add(101);
    Batcher<Integer, Integer> batcher = retrying();
    submit(batcher, 101);
    settle(MAIN);
    for (int i = 0; i < 100; i++) {
      Duration rest = settle(ASIDE);
      assertThat(rest).isBetween(Duration.ofMillis(25), Duration.ofSeconds(2));
      fake.advance(rest);
    }
    blocked.clear();
    settle(ASIDE);

    assertThat(done).containsExactly(101);
    assertThat(failed).isEmpty();
    assertThat(delays).hasSize(100).endsWith(100);
    assertThat(batcher.pending()).isZero();
  }

  @Test
  void innocentItemsThatMightHaveBeenBlockedPass() {
    List<Integer> items = IntStream.range(101, 181).boxed().toList();
    blocked.addAll(List.of(110, 120, 130));
    submit(retrying(), items.toArray(Integer[]::new));
    settle(MAIN);
    settle(ASIDE);

    assertThat(mainBatches).hasSize(1);
    assertThat(done).hasSize(77).doesNotContainAnyElementsOf(blocked);
    assertThat(asideBatches.stream().filter(batch -> batch.stream().anyMatch(blocked::contains)))
        .hasSizeLessThan(20);
  }

  @Test
  void anItemWithTheKeyOfABlockedOneIsNotTriedAmongTheOthers() {
    blocked.addAll(List.of(201, 301));
    Batcher<Integer, Integer> batcher = retrying();
    submit(batcher, 1, 201);
    settle(MAIN);
    fake.advance(Duration.ofSeconds(1));
    submit(batcher, 2, 301, 302);
    settle(MAIN);

    assertThat(mainBatches).containsExactly(List.of(1, 201), List.of(1), List.of(2, 302));
    blocked.clear();
    fake.advance(Duration.ofSeconds(3));
    settle(ASIDE);
    assertThat(done).containsExactlyInAnyOrder(1, 2, 201, 301, 302);
  }

  @Test
  void whenOnePassesTheOthersAreTriedAtOnce() {
    blocked.addAll(List.of(101, 102, 103));
    submit(retrying(), 101, 102, 103);
    settle(MAIN);
    for (int i = 0; i < 20; i++) {
      fake.advance(settle(ASIDE));
    }
    blocked.clear();
    settle(ASIDE);

    assertThat(done).containsExactlyInAnyOrder(101, 102, 103);
  }

  @Test
  void aFailFastBatcherFailsABlockedItemInTime() {
    blocked.add(101);
    Batcher<Integer, Integer> batcher = failFast();
    submit(batcher, 101, 2);
    settle(MAIN);
    Duration waited = untilFailed();

    assertThat(waited).isBetween(Duration.ofMillis(500), Duration.ofSeconds(5));
    assertThat(done).containsExactly(2);
    assertThat(failed).containsExactly(101);
    assertThat(batcher.pending()).isZero();
  }

  @Test
  void aCallerThatRepeatsABlockedItemDoesNotHoldUpTheOthersAgain() {
    blocked.add(101);
    Batcher<Integer, Integer> batcher = failFast();
    submit(batcher, 101);
    settle(MAIN);
    untilFailed();
    submit(batcher, 101, 2);
    settle(MAIN);

    assertThat(mainBatches).containsExactly(List.of(101), List.of(2));
    blocked.clear();
    settle(ASIDE);
    assertThat(done).containsExactly(2, 101);
    submit(batcher, 101);
    settle(MAIN);
    assertThat(mainBatches).endsWith(List.of(101));
  }

  @Test
  void aBlockedItemIsForgottenAfterATime() {
    blocked.add(101);
    Batcher<Integer, Integer> batcher = failFast();
    submit(batcher, 101);
    settle(MAIN);
    untilFailed();
    fake.advance(Duration.ofMinutes(1));
    submit(batcher, 101);
    settle(MAIN);

    assertThat(mainBatches).containsExactly(List.of(101), List.of(101));
  }

  @Test
  void theCallersOfManyBlockedItemsLearnOfItTogether() {
    List<Integer> items = IntStream.range(1_000, 1_300).boxed().toList();
    blocked.addAll(items);
    lockWait = Duration.ofMillis(20);
    tryTime = Duration.ofMillis(2);
    Batcher<Integer, Integer> batcher = failFast();
    submit(batcher, items.toArray(Integer[]::new));
    settle(MAIN);
    long begin = fake.runtime().clock().nanoTime();
    for (Duration rest = settle(ASIDE); failed.isEmpty(); rest = settle(ASIDE)) {
      fake.advance(rest);
    }

    assertThat(Duration.ofNanos(fake.runtime().clock().nanoTime() - begin))
        .isBetween(Duration.ofSeconds(1), Duration.ofMillis(1_600));
    assertThat(failed).containsExactlyInAnyOrderElementsOf(items);
    assertThat(batcher.pending()).isZero();
  }

  /** A slow database divides the group, but does not try each item before its time is over. */
  @Test
  void anItemThatWasNeverTriedAloneDoesNotFailForAnother() {
    blocked.addAll(List.of(101, 102));
    tryTime = Duration.ofMillis(600);
    submit(failFast(), 101, 102, 103);
    settle(MAIN);
    untilFailed();

    assertThat(failed).containsExactlyInAnyOrder(101, 102);
    assertThat(done).containsExactly(103);
  }

  @Test
  void anItemWithTheKeyOfABlockedOneFailsTogetherWithIt() {
    blocked.addAll(List.of(101, 201));
    Batcher<Integer, Integer> batcher = failFast();
    submit(batcher, 101);
    settle(MAIN);
    submit(batcher, 201);
    settle(MAIN);
    fake.advance(Duration.ofSeconds(1));
    round(ASIDE);

    assertThat(failed).containsExactly(101, 201);
  }

  /** A slow database does not divide the group before its time is over. */
  @Test
  void itemsOfAGroupThatIsNotDividedYetDoNotFailForOneOfThem() {
    List<Integer> items = IntStream.range(1_000, 1_300).boxed().toList();
    blocked.add(1_150);
    tryTime = Duration.ofSeconds(2);
    submit(failFast(), items.toArray(Integer[]::new));
    settle(MAIN);
    untilFailed();

    assertThat(failed).contains(1_150).hasSizeLessThan(8);
    assertThat(done).hasSizeGreaterThan(292);
  }

  @Test
  void whatPassesInTheEndDoesNotFailWithTheOthers() {
    List<Integer> items = IntStream.range(1_000, 1_300).boxed().toList();
    blocked.addAll(items);
    lockWait = Duration.ofMillis(20);
    submit(failFast(), items.toArray(Integer[]::new));
    settle(MAIN);
    for (int tries = 0; tries < 20; tries++) {
      round(ASIDE);
    }
    fake.advance(Duration.ofSeconds(1));
    blocked.clear();
    settle(ASIDE);

    assertThat(failed).isEmpty();
    assertThat(done).containsExactlyInAnyOrderElementsOf(items);
  }

  @Test
  void aFailFastBatcherKeepsNoMoreThanABound() {
    List<Integer> items = IntStream.range(1_000, 1_900).boxed().toList();
    blocked.addAll(items);
    Batcher<Integer, Integer> batcher = failFast();
    submit(batcher, items.toArray(Integer[]::new));
    settle(MAIN);
    settle(ASIDE);

    assertThat(batcher.pending()).isEqualTo(500);
    assertThat(failed).hasSize(400);
  }

  @Test
  void aRefusedItemAsideFailsAlone() {
    blocked.add(102);
    submit(retrying(), 101, 102, 103);
    settle(MAIN);
    fault = new StoreException("refused", true, null);
    settle(ASIDE);

    assertThat(done).containsExactlyInAnyOrder(101, 103);
    assertThat(failed).containsExactly(102);
  }

  @Test
  void anAbsenceOfTheDatabaseLosesNothing() {
    blocked.addAll(List.of(101, 102));
    submit(retrying(), 101, 102);
    settle(MAIN);
    fault = new StoreException("away", false, null);
    for (int i = 0; i < 10; i++) {
      fake.advance(settle(ASIDE));
    }
    assertThat(failed).isEmpty();
    blocked.clear();
    settle(ASIDE);

    assertThat(done).containsExactlyInAnyOrder(101, 102);
  }

  @Test
  void whatIsStillBlockedAtTheStopFails() {
    blocked.add(101);
    Batcher<Integer, Integer> batcher = retrying();
    submit(batcher, 101);
    settle(MAIN);
    settle(ASIDE);
    batcher.stop(Duration.ZERO);

    assertThat(failed).containsExactly(101);
    assertThat(batcher.pending()).isZero();
  }

  @Test
  void withoutBlockedItemsThereIsNoOtherLoop() {
    submit(retrying(), 1, 101);
    settle(MAIN);

    assertThat(done).containsExactly(1, 101);
    assertThat(fake.loops()).isEqualTo(1);
  }
}
