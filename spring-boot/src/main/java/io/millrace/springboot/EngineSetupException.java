package io.millrace.springboot;

/** Thrown if the beans of an application do not say which engine is meant. */
final class EngineSetupException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String description;
  private final String action;

  /**
   * @param description the bean, what is wrong with it, and what was expected
   * @param action for the developer
   */
  EngineSetupException(String description, String action) {
    super(description + " " + action);
    this.description = description;
    this.action = action;
  }

  String description() {
    return description;
  }

  String action() {
    return action;
  }
}
