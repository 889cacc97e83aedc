package io.millrace.tests.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.data.PeriodClaimRequest;
import io.millrace.data.PeriodClaimResult;
import io.millrace.data.PeriodId;
import io.millrace.fixtures.store.RaceRunner;
import io.millrace.fixtures.store.StoreContract;
import io.millrace.fixtures.store.StoreFixture;
import io.millrace.store.PeriodLedgerStore;
import io.millrace.store.PeriodLedgerStore.StartClaimResult;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of many clients that claim the same periods. */
@Tag("races")
class PeriodLedgerRaceTest extends StoreContract {

  private static final int CLIENTS = 16;
  private static final int PERIODS = 200;

  PeriodLedgerRaceTest(StoreFixture subject) {
    super(subject);
  }

  private PeriodClaimRequest request(int client, int period) {
    return PeriodClaimRequest.atLeastOnce(
        new PeriodId("race:" + type, "p" + period), "client " + client, Duration.ofHours(1));
  }

  @Test
  void everyPeriodIsClaimedOnce() {
    AtomicIntegerArray claims = new AtomicIntegerArray(PERIODS);
    long[] times = new long[CLIENTS * PERIODS];
    try (RaceRunner raceRunner = new RaceRunner(CLIENTS)) {
      raceRunner.race(client ->
          () -> {
            for (int period = 0; period < PERIODS; period++) {
              long begin = System.nanoTime();
              if (store.role(PeriodLedgerStore.class).claim(request(client, period), null)
                  instanceof PeriodClaimResult.Claimed) {
                claims.incrementAndGet(period);
              }
              times[client * PERIODS + period] = System.nanoTime() - begin;
            }
            return client;
          });
    }
    Arrays.sort(times);
    System.out.printf(
        "PeriodLedgerRaceTest: claims of %s take %.2f ms at the median%n",
        subject, times[times.length / 2] / 1e6);
    for (int period = 0; period < PERIODS; period++) {
      assertThat(claims.get(period)).as("claims of period %s", period).isEqualTo(1);
    }
  }

  @Test
  void everyPeriodStartsOneInstance() {
    int periods = 40;
    try (RaceRunner raceRunner = new RaceRunner(CLIENTS)) {
      List<Integer> begun =
          raceRunner.race(client ->
              () -> {
                int mine = 0;
                for (int period = 0; period < periods; period++) {
                  StartClaimResult start =
                      store
                          .role(PeriodLedgerStore.class)
                          .claimAndStart(request(client, period), instance().build());
                  mine += start instanceof StartClaimResult.Started ? 1 : 0;
                }
                return mine;
              });
      assertThat(begun.stream().mapToInt(Integer::intValue).sum()).isEqualTo(periods);
    }
    assertThat(claim(1_000)).hasSize(periods);
  }
}
