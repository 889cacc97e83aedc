package io.millrace.server.config;

import io.millrace.instance.MillraceException;
import java.util.List;

/** The configuration cannot be used; says everything that is wrong with it. */
public final class InvalidConfigException extends MillraceException {

  private final List<String> problems;

  InvalidConfigException(List<String> problems) {
    super(
        "The configuration cannot be used:"
            + problems.stream()
                .map(p -> System.lineSeparator() + "  " + p)
                .reduce("", String::concat));
    this.problems = List.copyOf(problems);
  }

  /** One sentence each; never empty. */
  public List<String> problems() {
    return problems;
  }
}
