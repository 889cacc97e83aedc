package io.millrace.instance;

/** Thrown when no engine has registered a workflow. A later one may do so. */
public final class UnknownWorkflowException extends InvalidRequestException {

  private static final long serialVersionUID = 1L;

  public UnknownWorkflowException(String message) {
    super(message);
  }
}
