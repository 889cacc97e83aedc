package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A wait for a condition that sends no event: it checks repeatedly, with pauses. */
public final class Polling {

  private static final int PAUSE_MILLIS = 20;

  private Polling() {}

  /** A supplier of the observed value. */
  @FunctionalInterface
  public interface Look<T, E extends Exception> {
    T get() throws E;
  }

  /** Returns the observed value as soon as it is as expected. */
  public static <T, E extends Exception> T until(Look<T, E> look, Predicate<? super T> wanted)
      throws E {
    long end = System.nanoTime() + Patience.LIMIT.toNanos();
    T seen = look.get();
    while (!wanted.test(seen)) {
      assertThat(System.nanoTime() - end).as("It has not come about: " + seen).isNegative();
      pause();
      seen = look.get();
    }
    return seen;
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
