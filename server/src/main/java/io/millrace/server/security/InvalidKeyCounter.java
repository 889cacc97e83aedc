package io.millrace.server.security;

import io.millrace.lifecycle.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A counter of the requests with invalid API keys by network, for a limit and for the audit. The
 * first request of an interval is recorded at once, and the number of the others at its end. Valid
 * keys are not counted, so that one broken client does not block its neighbors. Thread-safe.
 */
final class InvalidKeyCounter {

  private static final String ACTION = "keyRefused";
  private static final String TARGET = "unknown key";
  private static final Duration INTERVAL = Duration.ofMinutes(10);
  private static final int OF_NETWORK = 30;

  /** Upper limit of the audit entries a minute, and of the networks that are counted separately. */
  private static final int MAX_ENTRIES = 60;

  private static final int MAX_NETWORKS = 1000;

  private final EngineClock clock;
  private final SecurityAudit audit;
  private final Throttle networks;
  private final Throttle entries;

  private final Map<String, Failures> counts = new HashMap<>();
  private int others;
  private Instant since = Instant.EPOCH;

  /** End of the interval on the monotonic clock, while {@code counting}. */
  private long end;

  private volatile boolean counting;

  InvalidKeyCounter(EngineClock clock, SecurityAudit audit) {
    this.clock = clock;
    this.audit = audit;
    this.networks = new Throttle(clock, OF_NETWORK);
    this.entries = new Throttle(clock, MAX_ENTRIES);
  }

  /** The failures of a network that no audit entry covers yet. */
  private static final class Failures {
    private final String address;
    private int open;

    private Failures(String address) {
      this.address = address;
    }
  }

  /**
   * Counts a failure.
   *
   * @throws RejectedRequestException with 429 if there are too many from this network
   */
  void add(String address) {
    recordEnded();
    if (isFirst(address)) {
      append("from " + address);
    }
    Duration wait = networks.acquire(ClientAddress.network(address));
    if (!wait.isZero()) {
      throw RejectedRequestException.tooMany(
          "Too many requests with invalid API keys from "
              + address
              + ". Check the key, then retry. Valid keys still work.",
          wait);
    }
  }

  private synchronized boolean isFirst(String address) {
    if (!counting) {
      since = clock.instant();
      end = clock.nanoTime() + INTERVAL.toNanos();
      counting = true;
    }
    String network = ClientAddress.network(address);
    Failures known = counts.get(network);
    boolean first = known == null && entries.acquire(ACTION).isZero();
    if (known == null && counts.size() < MAX_NETWORKS) {
      known = new Failures(address);
      counts.put(network, known);
    }
    if (!first && known != null) {
      known.open++;
    } else if (!first) {
      others++;
    }
    return first;
  }

  /** Records the failures of an interval that has ended. */
  void recordEnded() {
    if (counting) {
      ended().forEach(this::append);
    }
  }

  private synchronized List<String> ended() {
    List<String> all = new ArrayList<>();
    if (!counting || clock.nanoTime() - end < 0) {
      return all;
    }
    for (Failures one : counts.values()) {
      if (one.open > 0 && entries.acquire(ACTION).isZero()) {
        all.add(one.open + " more from " + one.address + " since " + since);
      } else {
        others += one.open;
      }
    }
    if (others > 0) {
      all.add(others + " from other networks since " + since);
    }
    counts.clear();
    others = 0;
    counting = false;
    return all;
  }

  private void append(String reason) {
    audit.append(CallerIdentity.ANONYMOUS.actor(), ACTION, TARGET, reason);
  }
}
