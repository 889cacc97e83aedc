package io.millrace.redis.work;

import io.millrace.redis.support.TestRedis;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what is seen only on the server. */
final class ServerConditions {

  private ServerConditions() {}

  /** Until so many more waits for jobs have ended on the server, by whoever. */
  static void untilWaits(TestRedis server, int number) {
    long before = waits(server);
    until(() -> waits(server) >= before + number);
  }

  private static long waits(TestRedis server) {
    String stats = (String) server.redis().call("INFO", "commandstats");
    int at = stats.indexOf("cmdstat_blmove:calls=");
    return at < 0 ? 0 : Long.parseLong(stats.substring(at + 21, stats.indexOf(',', at)));
  }

  static void until(BooleanSupplier condition) {
    long end = System.nanoTime() + WorkerFixture.LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("It did not come true within " + WorkerFixture.LIMIT);
      }
      LockSupport.parkNanos(2_000_000);
    }
  }
}
