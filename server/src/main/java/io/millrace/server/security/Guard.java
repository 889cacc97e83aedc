package io.millrace.server.security;

import java.util.List;
import java.util.Map;

/**
 * The only entrance to the server. Every request of a route must pass {@link #admit} before any
 * other code reads it, and every response, including errors and files, carries {@link #headers}.
 * Thread-safe.
 */
public interface Guard {

  /**
   * Returns the caller of a request after checking that it has the permission. A public route is
   * admitted without checking credentials, so that it also answers while the database does not.
   *
   * @throws RejectedRequestException if the origin of the request is not allowed, the caller is
   *     unknown or lacks the permission, the session's CSRF token is missing, or the database does
   *     not answer
   */
  CallerIdentity admit(RequestInfo request, Permission needed);

  /**
   * True if the credentials of a caller that was admitted earlier are still valid; for responses
   * that last long. False also while the database does not answer.
   */
  boolean isStillValid(CallerIdentity callerIdentity);

  /**
   * Registers a listener to be called each time after this node has ended an API key, a user or a
   * session.
   */
  void onCredentialsEnded(Runnable listener);

  /** Clears all cached credentials, because another node has ended some. */
  void forgetCredentials();

  /**
   * Returns the headers of every response.
   *
   * @param api true for responses with data, which must not be cached; false for files of the UI
   */
  Map<String, String> headers(boolean api);

  /** Returns the network by which limits count the sender of a request. */
  ClientNetwork network(RequestInfo request);

  /** Returns the routes about sessions, users and keys. */
  List<SecurityRoute> routes();
}
