package io.millrace.store;

import io.millrace.instance.InstanceConflictException;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StartedInstance;
import java.time.Instant;

/** The result of a start. */
public sealed interface StartResult {

  long id();

  /** A new instance. {@code at} is the database's time. */
  record Created(long id, Instant at) implements StartResult {}

  /** An instance with the same type, group and external id existed; nothing was written. */
  record Existing(long id, boolean samePayload) implements StartResult {}

  /**
   * Returns the instance of a request.
   *
   * @throws InstanceConflictException if an earlier start used the external id with another payload
   */
  default StartedInstance requireSame(StartRequest request) {
    return switch (this) {
      case Created created -> new StartedInstance(created.id(), true);
      case Existing existing -> {
        if (!existing.samePayload()) {
          throw new InstanceConflictException(
              existing.id(),
              "External id '"
                  + request.keys().externalId()
                  + "' of workflow '"
                  + request.type()
                  + "' belongs to instance "
                  + existing.id()
                  + ", which was started with another input or other variables. Use another"
                  + " external id, or the same payload.");
        }
        yield new StartedInstance(existing.id(), false);
      }
    };
  }
}
