package io.millrace.continuous;

import io.millrace.instance.InvalidRequestException;

/** Thrown if there is no rollout with the requested id. */
public final class UnknownRolloutException extends InvalidRequestException {

  private static final long serialVersionUID = 1L;

  UnknownRolloutException(long id) {
    super("Instance " + id + " is no rollout. Look at the list of rollouts.");
  }
}
