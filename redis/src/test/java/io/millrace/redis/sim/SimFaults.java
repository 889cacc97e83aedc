package io.millrace.redis.sim;

/** What happens to the requests of clients. */
@FunctionalInterface
public interface SimFaults {

  /** The ways of one request. */
  enum Fate {
    DELIVER,
    /** Never reaches the server; the client gets no answer. */
    LOSE_REQUEST,
    /** Is executed, but the client gets no answer. */
    LOSE_REPLY,
    /** The client dies before it has sent the request. */
    CRASH_BEFORE,
    /** The client dies when the request has been executed. */
    CRASH_AFTER
  }

  Fate fate(String client, String request);

  static SimFaults none() {
    return (client, request) -> Fate.DELIVER;
  }
}
