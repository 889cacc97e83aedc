package io.millrace.server.config;

import io.millrace.instance.MillraceException;
import java.util.List;

/** The failure to read an invalid configuration. It lists all problems. */
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

  /** Returns one sentence for each problem; never empty. */
  public List<String> problems() {
    return problems;
  }
}
