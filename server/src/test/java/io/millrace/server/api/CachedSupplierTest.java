package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.store.StoreException;
import io.millrace.testing.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests that concurrent callers share one load. */
final class CachedSupplierTest {

  private static final Duration AGE = Duration.ofSeconds(1);

  private final SettableClock clock = SettableClock.at(Instant.EPOCH);
  private final AtomicInteger loads = new AtomicInteger();

  @Test
  void whatIsYoungIsNotFoundOutAgain() {
    CachedSupplier<Integer> cachedSupplier =
        new CachedSupplier<>(clock, AGE, loads::incrementAndGet);
    assertThat(cachedSupplier.get()).isEqualTo(1);
    assertThat(cachedSupplier.get()).isEqualTo(1);
    clock.advance(AGE);
    assertThat(cachedSupplier.get()).isEqualTo(2);
  }

  @Test
  void whileTheDatabaseIsAwayOneWaitsForAll() {
    CachedSupplier<Integer> cachedSupplier =
        new CachedSupplier<>(
            clock,
            AGE,
            () -> {
              if (loads.incrementAndGet() == 1) {
                throw new StoreException("away", false, null);
              }
              return loads.get();
            });
    assertThatThrownBy(cachedSupplier::get).isInstanceOf(StoreException.class);
    assertThatThrownBy(cachedSupplier::get).isInstanceOf(StoreException.class);
    assertThat(loads).hasValue(1);
    clock.advance(AGE);
    assertThat(cachedSupplier.get()).isEqualTo(2);
  }
}
