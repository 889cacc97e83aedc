package io.millrace.verification.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.data.FireClaim;
import io.millrace.data.FireId;
import io.millrace.data.FireRequest;
import io.millrace.store.FireStore.FireStart;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

/** Many who want the same periods. */
class FireRaceTest extends StoreContract {

  private static final int CLIENTS = 16;
  private static final int PERIODS = 200;

  FireRaceTest(StoreUnderTest subject) {
    super(subject);
  }

  private FireRequest request(int client, int period) {
    return FireRequest.atLeastOnce(
        new FireId("race:" + type, "p" + period), "client " + client, Duration.ofHours(1));
  }

  @Test
  void everyPeriodIsClaimedOnce() {
    AtomicIntegerArray claims = new AtomicIntegerArray(PERIODS);
    long[] times = new long[CLIENTS * PERIODS];
    try (Threads threads = new Threads(CLIENTS)) {
      threads.race(client ->
          () -> {
            for (int period = 0; period < PERIODS; period++) {
              long begin = System.nanoTime();
              if (store.fires().claim(request(client, period), null) instanceof FireClaim.Claimed) {
                claims.incrementAndGet(period);
              }
              times[client * PERIODS + period] = System.nanoTime() - begin;
            }
            return client;
          });
    }
    Arrays.sort(times);
    System.out.printf(
        "FireRaceTest: claims of %s take %.2f ms at the median%n",
        subject, times[times.length / 2] / 1e6);
    for (int period = 0; period < PERIODS; period++) {
      assertThat(claims.get(period)).as("claims of period %s", period).isEqualTo(1);
    }
  }

  @Test
  void everyPeriodStartsOneInstance() {
    int periods = 40;
    try (Threads threads = new Threads(CLIENTS)) {
      List<Integer> begun =
          threads.race(client ->
              () -> {
                int mine = 0;
                for (int period = 0; period < periods; period++) {
                  FireStart start =
                      store.fires().claimAndStart(request(client, period), instance().build());
                  mine += start instanceof FireStart.Begun ? 1 : 0;
                }
                return mine;
              });
      assertThat(begun.stream().mapToInt(Integer::intValue).sum()).isEqualTo(periods);
    }
    assertThat(claim(1_000)).hasSize(periods);
  }
}
