package io.millrace.store;

import java.time.Instant;

/** The result of a start. */
public sealed interface StartResult {

  long id();

  /** A new instance. {@code at} is the database's time. */
  record Created(long id, Instant at) implements StartResult {}

  /** An instance with the same type, group and external id existed; nothing was written. */
  record Existing(long id, boolean samePayload) implements StartResult {}
}
