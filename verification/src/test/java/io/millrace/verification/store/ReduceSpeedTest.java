package io.millrace.verification.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.data.ChangeType;
import io.millrace.store.KeyValueRules;
import io.millrace.store.ReduceStore.Comparison;
import io.millrace.store.ReduceStore.ComparisonResult;
import io.millrace.store.ReduceStore.FollowUp;
import io.millrace.store.ReduceStore.HashedRecord;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Large groups; how long each call takes is printed. */
class ReduceSpeedTest extends StoreContract {

  private static final int RECORDS = 100_000;

  ReduceSpeedTest(StoreFixture subject) {
    super(subject);
  }

  private static List<HashedRecord> items(int changed) {
    return IntStream.range(0, RECORDS)
        .mapToObj(i ->
            new HashedRecord(
                KeyValueRules.hash("key " + i),
                KeyValueRules.hash("value " + i + (i < changed ? "'" : "")),
                null))
        .toList();
  }

  @Test
  void aHundredThousandAgainstAHundredThousand() {
    Comparison first = new Comparison(group, items(0), new FollowUp.CommitNow(null), false);
    Comparison second = new Comparison(group, items(1_000), new FollowUp.None(), false);
    timed("commit", first);

    ComparisonResult comparisonResult = timed("compare", second);

    assertThat(comparisonResult.stored()).isEqualTo(RECORDS);
    assertThat(comparisonResult.changes().subList(0, 1_000)).containsOnly(ChangeType.CHANGED);
    assertThat(comparisonResult.changes().subList(1_000, RECORDS))
        .containsOnly(ChangeType.UNCHANGED);
  }

  private ComparisonResult timed(String what, Comparison comparison) {
    long begin = System.nanoTime();
    ComparisonResult comparisonResult = store.reductions().compare(comparison, null).orElseThrow();
    double seconds = (System.nanoTime() - begin) / 1e9;
    System.out.printf(
        "ReduceSpeedTest: %s %d records on %s in %.2f s%n", what, RECORDS, subject, seconds);
    return comparisonResult;
  }
}
