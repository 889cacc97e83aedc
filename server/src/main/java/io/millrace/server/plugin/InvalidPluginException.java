package io.millrace.server.plugin;

/** The reason why a jar cannot be used. */
final class InvalidPluginException extends Exception {

  private final String advice;

  InvalidPluginException(String problem, String advice) {
    super(problem);
    this.advice = advice;
  }

  PluginProblem of(String name) {
    return new PluginProblem(name, String.valueOf(getMessage()), advice);
  }
}
