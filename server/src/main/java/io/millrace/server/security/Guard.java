package io.millrace.server.security;

import java.util.List;
import java.util.Map;

/**
 * The one door to the server. Every request of a route goes through {@link #admit} before anything
 * else looks at it, and every answer, errors and files too, carries {@link #headers}. Thread-safe.
 */
public interface Guard {

  /**
   * Says who makes the request, after finding that this caller may. A public route is admitted
   * without looking at credentials, so that it also answers while the database does not.
   *
   * @throws RejectedRequestException not from here, not known, not allowed, without the session's
   *     CSRF token, or the database does not answer
   */
  CallerIdentity admit(RequestInfo request, Permission needed);

  /**
   * Whether the credentials of a caller who was admitted earlier still hold, for answers that go on
   * for long. False also while the database does not answer.
   */
  boolean isStillValid(CallerIdentity callerIdentity);

  /** Has a listener called each time after this node has ended an API key, a user or a session. */
  void onCredentialsEnded(Runnable listener);

  /** Looks up all credentials again, since another node has ended some. */
  void forgetCredentials();

  /**
   * The headers of every answer.
   *
   * @param api true for answers that hold data, which nobody may keep; false for files of the UI
   */
  Map<String, String> headers(boolean api);

  /** Returns the network that limits count the sender of a request as. */
  ClientNetwork network(RequestInfo request);

  /** The routes about sessions, users and keys. */
  List<SecurityRoute> routes();
}
