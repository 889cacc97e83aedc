package io.millrace.continuous;

import io.millrace.instance.InvalidRequestException;

/** Thrown if there is no continuous workflow of the requested name. */
public final class UnknownContinuousWorkflowException extends InvalidRequestException {

  private static final long serialVersionUID = 1L;

  UnknownContinuousWorkflowException(String name) {
    super(
        "There is no continuous workflow '"
            + name
            + "': no engine has registered it. Check the name, or pass it to the engine's builder"
            + " with continuous(...).");
  }
}
