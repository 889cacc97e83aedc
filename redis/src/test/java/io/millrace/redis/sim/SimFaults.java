package io.millrace.redis.sim;

/** Faults of the requests of clients. */
@FunctionalInterface
public interface SimFaults {

  /** Fate of one request. */
  enum Fate {
    DELIVER,
    /** The request never reaches the server; the client gets no answer. */
    LOSE_REQUEST,
    /** The request is executed, but the client gets no answer. */
    LOSE_REPLY,
    /** The client dies before it has sent the request. */
    CRASH_BEFORE,
    /** The client dies after the request has been executed. */
    CRASH_AFTER
  }

  Fate fate(String client, String request);

  static SimFaults none() {
    return (client, request) -> Fate.DELIVER;
  }
}
