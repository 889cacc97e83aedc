package io.millrace.definition;

import java.util.List;

/**
 * The fields of an instance that are stored encrypted.
 *
 * @param input true for the whole input
 * @param variables names of variables, sorted
 */
public record SecretFields(boolean input, List<String> variables) {

  /** No fields. */
  public static final SecretFields NONE = new SecretFields(false, List.of());

  public SecretFields {
    variables = variables.stream().distinct().sorted().toList();
  }

  /** True when there is anything secret. */
  public boolean any() {
    return input || !variables.isEmpty();
  }

  /** True for a secret variable. */
  public boolean covers(String variable) {
    return !variables.isEmpty() && variables.contains(variable);
  }
}
