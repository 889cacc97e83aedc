package io.millrace.server.security;

import io.millrace.lifecycle.EngineClock;
import io.millrace.server.security.ApiKeyStore.ApiKey;
import io.millrace.server.security.CallerIdentity.AuthMethod;
import io.millrace.server.security.SessionStore.Session;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

/**
 * An authenticator of callers. Results are cached for a few seconds, so that ten requests of one
 * page cost one look-up. A credential that this node ends is removed from the cache at once.
 */
final class CallerAuthenticator {

  static final String COOKIE = "millrace_session";

  private static final Duration REMEMBERED = Duration.ofSeconds(3);
  private static final int MAX = 10_000;
  private static final String SCHEME = "bearer ";
  private static final Pattern KEY = Pattern.compile("mr_[A-Za-z0-9_-]{43}");
  private static final Pattern SESSION = Pattern.compile("[A-Za-z0-9_-]{43}");

  private final ApiKeyStore keys;
  private final SessionStore sessionStore;
  private final EngineClock clock;
  private final Map<String, Remembered> recent = new ConcurrentHashMap<>();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  CallerAuthenticator(ApiKeyStore keys, SessionStore sessionStore, EngineClock clock) {
    this.keys = keys;
    this.sessionStore = sessionStore;
    this.clock = clock;
  }

  /** A result of the database, with its expiry on the monotonic clock. */
  private record Remembered(CallerIdentity caller, long until) {}

  /**
   * Returns the caller; an anonymous one for credentials that are missing, invalid or expired. A
   * cookie does not make up for an invalid key.
   */
  CallerIdentity identify(RequestInfo request) {
    String authorization = request.header("Authorization");
    if (authorization != null) {
      return ofAuthorization(authorization);
    }
    String cookie = request.cookie(COOKIE);
    return cookie != null && SESSION.matcher(cookie).matches()
        ? remembered(SecureTokens.hash(cookie), false)
        : CallerIdentity.ANONYMOUS;
  }

  /** Returns true if the request presents a text as API key, valid or not. */
  static boolean hasKey(RequestInfo request) {
    String authorization = request.header("Authorization");
    return authorization != null && authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME);
  }

  private CallerIdentity ofAuthorization(String authorization) {
    if (!authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      return CallerIdentity.ANONYMOUS;
    }
    String key = authorization.substring(SCHEME.length()).strip();
    return KEY.matcher(key).matches()
        ? remembered(SecureTokens.hash(key), true)
        : CallerIdentity.ANONYMOUS;
  }

  /**
   * True if the credentials are still valid. This check is for event streams and does not count as
   * a use of a session.
   */
  boolean stillHolds(CallerIdentity callerIdentity) {
    String hash = callerIdentity.credentialHash();
    if (hash == null) {
      return true;
    }
    Remembered known = recent.get(hash);
    if (known != null
        && clock.nanoTime() < known.until()
        && known.caller().role() == callerIdentity.role()) {
      return true;
    }
    return callerIdentity.authMethod() == AuthMethod.KEY
        ? keys.use(hash).filter(key -> key.role() == callerIdentity.role()).isPresent()
        : sessionStore.holds(hash);
  }

  /**
   * Clears the cache and calls the listeners; must be called after a key, user or session has
   * ended.
   */
  void clearCache() {
    forget();
    listeners.forEach(Runnable::run);
  }

  /** Clears the cache. */
  void forget() {
    recent.clear();
  }

  /** Registers a listener to be called after a key, user or session has ended. */
  void onEnded(Runnable listener) {
    listeners.add(listener);
  }

  private CallerIdentity remembered(String hash, boolean isKey) {
    long now = clock.nanoTime();
    Remembered known = recent.get(hash);
    if (known != null && now < known.until()) {
      return known.caller();
    }
    recent.remove(hash);
    Optional<Found> found = isKey ? ofKey(hash) : ofSession(hash);
    if (found.isEmpty()) {
      return CallerIdentity.ANONYMOUS;
    }
    if (recent.size() >= MAX) {
      recent.clear();
    }
    CallerIdentity callerIdentity = found.get().caller();
    recent.put(hash, new Remembered(callerIdentity, now + found.get().remember().toNanos()));
    return callerIdentity;
  }

  /** A caller, and the time for which it may be cached. */
  private record Found(CallerIdentity caller, Duration remember) {}

  private Optional<Found> ofKey(String hash) {
    return keys.use(hash).map(key -> new Found(caller(key, hash), untilEnd(key)));
  }

  private static CallerIdentity caller(ApiKey key, String hash) {
    return new CallerIdentity("key:" + key.name(), key.role(), AuthMethod.KEY, hash);
  }

  private Duration untilEnd(ApiKey key) {
    return key.expires() == null ? REMEMBERED : until(key.expires());
  }

  private Optional<Found> ofSession(String hash) {
    return sessionStore
        .use(hash)
        .map(session -> new Found(caller(session, hash), until(session.expires())));
  }

  private static CallerIdentity caller(Session session, String hash) {
    return new CallerIdentity(session.user(), session.role(), session.means(), hash);
  }

  private Duration until(Instant end) {
    Duration left = Duration.between(clock.instant(), end);
    return left.compareTo(REMEMBERED) < 0 ? left : REMEMBERED;
  }
}
