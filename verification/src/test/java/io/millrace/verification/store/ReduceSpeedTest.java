package io.millrace.verification.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.data.ChangeType;
import io.millrace.store.KeyRules;
import io.millrace.store.ReduceStore.Compared;
import io.millrace.store.ReduceStore.Comparison;
import io.millrace.store.ReduceStore.Item;
import io.millrace.store.ReduceStore.Then;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Large groups; how long each call takes is printed. */
class ReduceSpeedTest extends StoreContract {

  private static final int RECORDS = 100_000;

  ReduceSpeedTest(StoreUnderTest subject) {
    super(subject);
  }

  private static List<Item> items(int changed) {
    return IntStream.range(0, RECORDS)
        .mapToObj(i ->
            new Item(
                KeyRules.hash("key " + i),
                KeyRules.hash("value " + i + (i < changed ? "'" : "")),
                null))
        .toList();
  }

  @Test
  void aHundredThousandAgainstAHundredThousand() {
    Comparison first = new Comparison(group, items(0), new Then.Settle(null), false);
    Comparison second = new Comparison(group, items(1_000), new Then.Nothing(), false);
    timed("commit", first);

    Compared compared = timed("compare", second);

    assertThat(compared.stored()).isEqualTo(RECORDS);
    assertThat(compared.changes().subList(0, 1_000)).containsOnly(ChangeType.CHANGED);
    assertThat(compared.changes().subList(1_000, RECORDS)).containsOnly(ChangeType.UNCHANGED);
  }

  private Compared timed(String what, Comparison comparison) {
    long begin = System.nanoTime();
    Compared compared = store.reductions().compare(comparison, null).orElseThrow();
    double seconds = (System.nanoTime() - begin) / 1e9;
    System.out.printf(
        "ReduceSpeedTest: %s %d records on %s in %.2f s%n", what, RECORDS, subject, seconds);
    return compared;
  }
}
