package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.store.ChangeStore;
import io.millrace.store.ChangeStore.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Tests that the journal of changes loses nothing, regardless of concurrent writers and readers.
 */
class ChangeContractTest extends StoreContract {

  ChangeContractTest(StoreFixture subject) {
    super(subject);
  }

  private ChangeStore changes() {
    return store.changes();
  }

  @Test
  void numbersHaveNoGapsAndChangesComeInTheirOrder() {
    long begin = changes().newest();
    assertThat(changes().append("a", "one")).isEqualTo(begin + 1);
    advance(SECOND);
    assertThat(changes().append("b", "")).isEqualTo(begin + 2);

    assertThat(changes().newest()).isEqualTo(begin + 2);
    assertThat(changes().after(begin, 10))
        .containsExactly(
            new Change(begin + 1, now().minus(SECOND), "a", "one"),
            new Change(begin + 2, now(), "b", ""));
    assertThat(changes().after(begin, 1)).extracting(Change::id).containsExactly(begin + 1);
    assertThat(changes().after(begin + 2, 10)).isEmpty();
  }

  @Test
  void theOldestArePrunedAndTheNumbersGoOn() {
    Duration age = Duration.ofMinutes(10);
    advance(age.multipliedBy(2));
    while (changes().prune(age, 100) > 0) {}
    long begin = changes().newest();
    for (int i = 0; i < 5; i++) {
      changes().append("a", "x");
    }
    advance(age);
    changes().append("a", "y");
    assertThat(changes().prune(age, 10)).isZero();

    advance(SECOND);
    assertThat(changes().prune(age, 3)).isEqualTo(3);
    assertThat(changes().after(begin, 10).getFirst().id()).isEqualTo(begin + 4);
    assertThat(changes().prune(age, 3)).isEqualTo(2);
    advance(age);
    assertThat(changes().prune(age, 3)).isEqualTo(1);
    assertThat(changes().after(begin, 10)).isEmpty();
    assertThat(changes().newest()).isEqualTo(begin + 6);
    assertThat(changes().append("a", "z")).isEqualTo(begin + 7);
  }

  @Test
  void aReaderSeesEachChangeOnceWhileManyWrite() throws Exception {
    long begin = changes().newest();
    int writers = 4;
    long each = 25;
    CountDownLatch start = new CountDownLatch(1);
    List<Long> read = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(writers)) {
      List<Future<?>> all = new ArrayList<>();
      for (int writer = 0; writer < writers; writer++) {
        String node = "node" + writer;
        all.add(
            threads.submit(() -> {
              start.await();
              for (int i = 0; i < each; i++) {
                changes().append(node, "x");
              }
              return null;
            }));
      }
      start.countDown();
      while (read.size() < writers * each) {
        long last = read.isEmpty() ? begin : read.getLast();
        changes().after(last, 7).forEach(change -> read.add(change.id()));
        for (Future<?> one : all) {
          if (one.isDone()) {
            one.get();
          }
        }
      }
    }

    assertThat(read)
        .containsExactlyElementsOf(
            LongStream.rangeClosed(begin + 1, begin + writers * each).boxed().toList());
  }
}
