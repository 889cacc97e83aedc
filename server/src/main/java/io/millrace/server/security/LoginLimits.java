package io.millrace.server.security;

import io.millrace.lifecycle.EngineClock;
import java.time.Duration;
import java.util.function.Supplier;

/** The limits on login attempts, successful or not. Thread-safe. */
final class LoginLimits {

  /**
   * Limit of a name as a multiple of that of an address, so that one address alone cannot lock a
   * user out elsewhere.
   */
  private static final int ADDRESSES_OF_A_NAME = 5;

  /** Limit of a site as a multiple of that of an address, for the IPv6 networks of one customer. */
  private static final int NETWORKS_OF_A_SITE = 5;

  /** Longest time that a login waits to be hashed. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private static final int MAX_WAITING = 20;

  private final Throttle addresses;
  private final Throttle sites;
  private final Throttle names;

  /** Limit by network of logins that start at the issuer, since each needs a row. */
  private final Throttle begun;

  private final Throttle allBegun;

  /** Limit of all failures in the audit, so that they cannot fill the table. */
  private final Throttle noted;

  /**
   * The pool for hashing, which is slow on purpose and must leave processors for everything else.
   */
  private final ComputePool hashing =
      new ComputePool(
          "millrace-passwords",
          ComputePool.HALF_OF_PROCESSORS,
          MAX_WAITING,
          PATIENCE,
          "Too many logins at the same time. Retry in a moment.");

  LoginLimits(EngineClock clock, int perMinute) {
    this.addresses = new Throttle(clock, perMinute);
    this.sites = new Throttle(clock, NETWORKS_OF_A_SITE * perMinute);
    this.names = new Throttle(clock, ADDRESSES_OF_A_NAME * perMinute);
    this.begun = new Throttle(clock, 30);
    this.allBegun = new Throttle(clock, 600);
    this.noted = new Throttle(clock, 60);
  }

  /** Counts an attempt with a password. */
  void admit(String address, String name) {
    admitTo(addresses, address);
    check(names.acquire(name));
  }

  /** Counts an attempt with a login link, which has no name. */
  void admit(String address) {
    admitTo(addresses, address);
  }

  /** Counts the start of a login at the issuer. */
  void admitOidcLogin(String address) {
    admitTo(begun, address);
    check(allBegun.acquire("all"));
  }

  /** Counts the site first, so that its many networks do not fill the buckets of all networks. */
  private void admitTo(Throttle networks, String address) {
    ClientNetwork client = ClientNetwork.of(address);
    if (client.isShared()) {
      check(sites.acquire(client.site()));
    }
    check(networks.acquire(client.network()));
  }

  boolean isNoted() {
    return noted.acquire("all").isZero();
  }

  /**
   * Runs work that hashes a password.
   *
   * @throws RejectedRequestException with 429 if too many logins wait
   */
  <T> T hash(Supplier<T> work) {
    return hashing.run(work);
  }

  private static void check(Duration wait) {
    if (!wait.isZero()) {
      throw RejectedRequestException.tooMany(
          "Too many logins from this address or with this name. Wait and try again; API keys go on"
              + " working meanwhile.",
          wait);
    }
  }
}
