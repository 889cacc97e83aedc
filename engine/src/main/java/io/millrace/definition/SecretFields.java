package io.millrace.definition;

import java.util.List;

/**
 * The fields of an instance that are stored encrypted.
 *
 * @param input true for the whole input
 * @param variables names of variables, sorted
 */
public record SecretFields(boolean input, List<String> variables) {

  /** No secret fields. */
  public static final SecretFields NONE = new SecretFields(false, List.of());

  public SecretFields {
    variables = variables.stream().distinct().sorted().toList();
  }

  /** Returns true if anything is secret. */
  public boolean any() {
    return input || !variables.isEmpty();
  }

  /** Returns true if the variable is secret. */
  public boolean covers(String variable) {
    return !variables.isEmpty() && variables.contains(variable);
  }
}
