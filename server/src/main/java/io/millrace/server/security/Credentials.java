package io.millrace.server.security;

import io.millrace.lifecycle.EngineClock;
import io.millrace.server.security.ApiKeys.ApiKey;
import io.millrace.server.security.Caller.Means;
import io.millrace.server.security.Sessions.Session;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Finds out who calls. Answers are remembered for moments, so that a page that asks for ten things
 * at once costs one look-up; what this node itself ends is forgotten at once.
 */
final class Credentials {

  static final String COOKIE = "millrace_session";

  private static final Duration REMEMBERED = Duration.ofSeconds(3);
  private static final int MOST = 10_000;
  private static final String SCHEME = "bearer ";
  private static final Pattern KEY = Pattern.compile("mr_[A-Za-z0-9_-]{43}");
  private static final Pattern SESSION = Pattern.compile("[A-Za-z0-9_-]{43}");

  private final ApiKeys keys;
  private final Sessions sessions;
  private final EngineClock clock;
  private final Map<String, Remembered> recent = new ConcurrentHashMap<>();

  Credentials(ApiKeys keys, Sessions sessions, EngineClock clock) {
    this.keys = keys;
    this.sessions = sessions;
    this.clock = clock;
  }

  /** The answer of the database, until a moment of the clock that only grows. */
  private record Remembered(Caller caller, long until) {}

  /**
   * Nobody, for credentials that are missing, wrong or at their end. A key that is wrong is not
   * made good by a cookie.
   */
  Caller identify(RequestFacts request) {
    String authorization = request.header("Authorization");
    if (authorization != null) {
      return ofAuthorization(authorization);
    }
    String cookie = request.cookie(COOKIE);
    return cookie != null && SESSION.matcher(cookie).matches()
        ? remembered(Tokens.hash(cookie), false)
        : Caller.NOBODY;
  }

  /** Returns true if the request shows something as an API key, valid or not. */
  static boolean hasKey(RequestFacts request) {
    String authorization = request.header("Authorization");
    return authorization != null && authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME);
  }

  private Caller ofAuthorization(String authorization) {
    if (!authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      return Caller.NOBODY;
    }
    String key = authorization.substring(SCHEME.length()).strip();
    return KEY.matcher(key).matches() ? remembered(Tokens.hash(key), true) : Caller.NOBODY;
  }

  /** Whether it still holds; for somebody who only listens, which is no use of a session. */
  boolean stillHolds(Caller caller) {
    String hash = caller.ticket();
    if (hash == null) {
      return true;
    }
    Remembered known = recent.get(hash);
    if (known != null && clock.nanoTime() < known.until()) {
      return true;
    }
    return caller.means() == Means.KEY ? keys.use(hash).isPresent() : sessions.holds(hash);
  }

  /** To be called after a key, user or session has ended. */
  void forget() {
    recent.clear();
  }

  private Caller remembered(String hash, boolean isKey) {
    long now = clock.nanoTime();
    Remembered known = recent.get(hash);
    if (known != null && now < known.until()) {
      return known.caller();
    }
    recent.remove(hash);
    Optional<Found> found = isKey ? ofKey(hash) : ofSession(hash);
    if (found.isEmpty()) {
      return Caller.NOBODY;
    }
    if (recent.size() >= MOST) {
      recent.clear();
    }
    Caller caller = found.get().caller();
    recent.put(hash, new Remembered(caller, now + found.get().remember().toNanos()));
    return caller;
  }

  /** A caller, and for how long to ask no more. */
  private record Found(Caller caller, Duration remember) {}

  private Optional<Found> ofKey(String hash) {
    return keys.use(hash).map(key -> new Found(caller(key, hash), untilEnd(key)));
  }

  private static Caller caller(ApiKey key, String hash) {
    return new Caller("key:" + key.name(), key.role(), Means.KEY, hash);
  }

  private Duration untilEnd(ApiKey key) {
    return key.expires() == null ? REMEMBERED : until(key.expires());
  }

  private Optional<Found> ofSession(String hash) {
    return sessions
        .use(hash)
        .map(session -> new Found(caller(session, hash), until(session.expires())));
  }

  private static Caller caller(Session session, String hash) {
    return new Caller(session.user(), session.role(), session.means(), hash);
  }

  private Duration until(Instant end) {
    Duration left = Duration.between(clock.instant(), end);
    return left.compareTo(REMEMBERED) < 0 ? left : REMEMBERED;
  }
}
