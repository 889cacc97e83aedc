package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Waits for what tells nobody when it comes about: looks again and again, with pauses. */
public final class Polling {

  private static final int PAUSE_MILLIS = 20;

  private Polling() {}

  /** What is looked at. */
  @FunctionalInterface
  public interface Look<T, E extends Exception> {
    T get() throws E;
  }

  /** Returns what is seen as soon as it is as wanted. */
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
