package io.millrace.redis.jobs;

import io.millrace.instance.MillraceException;

/** Thrown if a flow has no job of this id: it never existed, was deleted, or has expired. */
public final class JobNotFoundException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public JobNotFoundException(String flow, String id) {
    super(
        "Flow '"
            + flow
            + "' has no job '"
            + id
            + "': the id is wrong, the job was deleted, or its time to live has ended.");
  }
}
