package io.millrace.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lifecycle.Loop;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class BatcherTest {

  private final StoreException away = new StoreException("away", false, null);
  private final StoreException refused = new StoreException("refused", true, null);

  private final FakeRuntime fake = new FakeRuntime();
  private final List<List<Integer>> written = new ArrayList<>();
  private final List<String> replies = new ArrayList<>();
  private final List<Integer> delays = new ArrayList<>();
  private Function<List<Integer>, List<Integer>> database = items -> items;

  private List<Integer> write(List<Integer> items) {
    written.add(List.copyOf(items));
    return database.apply(items);
  }

  private Batcher<Integer, Integer> retrying() {
    return Batcher.retrying(
        fake.runtime(), "test", this::write, (items, tries, fault) -> delays.add(tries));
  }

  private Batcher<Integer, Integer> failFast() {
    return Batcher.failFast(fake.runtime(), "test", this::write);
  }

  private void submit(Batcher<Integer, Integer> batcher, int... items) {
    for (int item : items) {
      batcher.submit(
          item,
          new Batcher.Callback<>() {
            @Override
            public void done(Integer result) {
              replies.add(item + " done");
            }

            @Override
            public void failed(StoreException fault) {
              replies.add(item + " " + fault.getMessage());
            }
          });
    }
  }

  private List<Integer> refusing(int bad, List<Integer> items) {
    if (items.contains(bad)) {
      throw refused;
    }
    return items;
  }

  @Test
  void whatIsReadyIsWrittenTogetherInOrder() {
    Batcher<Integer, Integer> batcher = retrying();
    submit(batcher, 1, 2, 3);
    assertThat(batcher.pending()).isEqualTo(3);
    assertThat(fake.tick()).isZero();
    assertThat(written).containsExactly(List.of(1, 2, 3));
    assertThat(replies).containsExactly("1 done", "2 done", "3 done");
    assertThat(batcher.pending()).isZero();
    assertThat(fake.tick()).isEqualTo(Loop.UNTIL_WOKEN);
  }

  @Test
  void aBatchHasAtMostAThousand() {
    Batcher<Integer, Integer> batcher = retrying();
    submit(batcher, new int[1_001]);
    fake.tick();
    fake.tick();
    assertThat(written).extracting(List::size).containsExactly(1_000, 1);
  }

  @Test
  void aRefusedItemDoesNotHarmItsNeighbours() {
    database = items -> refusing(2, items);
    Batcher<Integer, Integer> batcher = retrying();
    submit(batcher, 1, 2, 3);
    fake.tick();
    assertThat(written).containsExactly(List.of(1, 2, 3), List.of(1), List.of(2), List.of(3));
    assertThat(replies).containsExactly("1 done", "2 refused", "3 done");
    assertThat(batcher.pending()).isZero();
  }

  @Test
  void aSingleRefusedItemIsNotWrittenAgain() {
    database = items -> refusing(2, items);
    submit(retrying(), 2);
    fake.tick();
    assertThat(written).hasSize(1);
    assertThat(replies).containsExactly("2 refused");
  }

  @Test
  void aRetryingBatcherRepeatsForEver() {
    database =
        items -> {
          throw away;
        };
    Batcher<Integer, Integer> batcher = retrying();
    submit(batcher, 1);
    for (int i = 0; i < 1_000; i++) {
      assertThat(fake.tick()).isBetween(Duration.ofMillis(25), Duration.ofSeconds(2));
    }
    assertThat(replies).isEmpty();
    assertThat(delays).hasSize(1_000).endsWith(1_000);
    database = items -> items;
    fake.tick();
    assertThat(replies).containsExactly("1 done");
  }

  @Test
  void whatComesWhileItWaitsIsWrittenAfterwards() {
    database =
        items -> {
          throw away;
        };
    Batcher<Integer, Integer> batcher = retrying();
    submit(batcher, 1);
    fake.tick();
    submit(batcher, 2);
    database = items -> items;
    fake.tick();
    fake.tick();
    assertThat(replies).containsExactly("1 done", "2 done");
  }

  @Test
  void anAbsenceWhileItemsAreWrittenAloneRepeatsOnlyWhatIsLeft() {
    database =
        items -> {
          if (items.equals(List.of(3))) {
            throw away;
          }
          return refusing(2, items);
        };
    submit(retrying(), 1, 2, 3);
    fake.tick();
    assertThat(replies).containsExactly("1 done", "2 refused");
    database = items -> items;
    fake.tick();
    assertThat(written.getLast()).containsExactly(3);
    assertThat(replies).containsExactly("1 done", "2 refused", "3 done");
  }

  @Test
  void aFailFastBatcherHandsEveryFaultOn() {
    database =
        items -> {
          throw away;
        };
    Batcher<Integer, Integer> batcher = failFast();
    submit(batcher, 1, 2);
    assertThat(fake.tick()).isZero();
    assertThat(replies).containsExactly("1 away", "2 away");
    assertThat(batcher.pending()).isZero();
    assertThat(fake.tick()).isEqualTo(Loop.UNTIL_WOKEN);
  }

  @Test
  void anItemThatBreaksTheWriterDoesNotStopTheOthersForEver() {
    database =
        items -> {
          if (items.contains(2)) {
            throw new IllegalStateException("a fault nobody thought of");
          }
          return items;
        };
    submit(retrying(), 1, 2, 3);
    for (int i = 0; i < 10; i++) {
      try {
        fake.tick();
      } catch (IllegalStateException e) {
        delays.add(i);
      }
    }
    assertThat(replies).contains("1 done", "3 done");
  }

  @Test
  void afterAGroupTheNextItemWaitsAMomentForTheOthers() {
    Batcher<Integer, Integer> batcher = retrying();
    database =
        items -> {
          fake.advance(Duration.ofMillis(2));
          return items;
        };
    submit(batcher, 1, 2, 3);
    fake.tick();

    submit(batcher, 4);
    assertThat(fake.tick()).isEqualTo(Duration.ofNanos(500_000));
    submit(batcher, 5, 6);
    fake.tick();
    submit(batcher, 7);
    fake.advance(Duration.ofNanos(500_000));
    fake.tick();

    assertThat(written).containsExactly(List.of(1, 2, 3), List.of(4, 5, 6), List.of(7));
  }

  @Test
  void whatComesAloneIsWrittenAtOnce() {
    Batcher<Integer, Integer> batcher = retrying();
    database =
        items -> {
          fake.advance(Duration.ofMillis(2));
          return items;
        };
    submit(batcher, 1);
    fake.tick();
    submit(batcher, 2);
    fake.tick();

    assertThat(written).containsExactly(List.of(1), List.of(2));
  }
}
