package io.millrace.redis.support;

import io.millrace.redis.Patience;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for changes that are visible only on the server. */
public final class ServerConditions {

  private static final int PAUSE_MILLIS = 10;

  private ServerConditions() {}

  /** Waits until a number of further waits for jobs have ended on the server, of any client. */
  public static void untilWaits(TestRedis server, int number) {
    long before = waits(server);
    until(() -> waits(server) >= before + number);
  }

  private static long waits(TestRedis server) {
    String stats = (String) server.redis().call("INFO", "commandstats");
    int at = stats.indexOf("cmdstat_blmove:calls=");
    return at < 0 ? 0 : Long.parseLong(stats.substring(at + 21, stats.indexOf(',', at)));
  }

  /** Waits until a condition is true, checking it with pauses. */
  public static void until(BooleanSupplier condition) {
    until("what is waited for", condition);
  }

  /** Waits until a condition with a name is true. */
  public static void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + Patience.LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("Within " + Patience.LIMIT + " it did not come to this: " + what);
      }
      try {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
