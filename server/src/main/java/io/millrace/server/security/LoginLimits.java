package io.millrace.server.security;

import io.millrace.lifecycle.EngineClock;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** How often one may try to log in, whether or not it succeeds. Thread-safe. */
final class LoginLimits {

  private static final Duration BUSY = Duration.ofSeconds(1);

  /** More than one address has, so that one address alone keeps nobody out elsewhere. */
  private static final int ADDRESSES_OF_A_NAME = 5;

  /** How long a login waits for its turn to be hashed, and how many may wait. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private static final int MOST_WAITING = 20;

  private final Throttle addresses;
  private final Throttle names;

  /** Logins that begin at the issuer: they cost a row each. */
  private final Throttle begun;

  private final Throttle allBegun;

  /** Failures in the audit of all, so that they cannot fill the table. */
  private final Throttle noted;

  /** Hashing is slow on purpose, and must leave processors for work. */
  private final Semaphore hashing =
      new Semaphore(Math.max(2, Runtime.getRuntime().availableProcessors() / 2), true);

  LoginLimits(EngineClock clock, int perMinute) {
    this.addresses = new Throttle(clock, perMinute);
    this.names = new Throttle(clock, ADDRESSES_OF_A_NAME * perMinute);
    this.begun = new Throttle(clock, 30);
    this.allBegun = new Throttle(clock, 600);
    this.noted = new Throttle(clock, 60);
  }

  /** Counts a try with a password. */
  void admit(String address, String name) {
    check(addresses.take(ClientAddress.network(address)));
    check(names.take(name));
  }

  /** Counts the beginning of a login at the issuer. */
  void admitBegin(String address) {
    check(begun.take(ClientAddress.network(address)));
    check(allBegun.take("all"));
  }

  boolean isNoted() {
    return noted.take("all").isZero();
  }

  /** Hashes passwords, not many at a time; a few others wait for their turn. */
  <T> T hash(Supplier<T> work) {
    if (!isTurn()) {
      throw Refusal.tooMany("Too many people log in at once. Try again in a moment.", BUSY);
    }
    try {
      return work.get();
    } finally {
      hashing.release();
    }
  }

  private boolean isTurn() {
    try {
      return hashing.getQueueLength() < MOST_WAITING
          && hashing.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static void check(Duration wait) {
    if (!wait.isZero()) {
      throw Refusal.tooMany(
          "Too many logins from this address or with this name. Wait and try again; API keys go on"
              + " working meanwhile.",
          wait);
    }
  }
}
