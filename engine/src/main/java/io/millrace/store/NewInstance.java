package io.millrace.store;

import io.millrace.instance.Due;
import io.millrace.instance.Origin;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An instance to be started.
 *
 * @param definitionId the stored definition
 * @param input JSON text; null for none
 * @param variables JSON texts by name
 * @param heldBy an executor that holds it from the start, with lease version 1 and attempt 1; null
 *     for none
 */
public record NewInstance(
    Origin origin,
    int definitionId,
    String startState,
    @Nullable String input,
    Map<String, String> variables,
    Due due,
    @Nullable Long heldBy) {

  /** The same instance, held from the start. */
  public NewInstance heldBy(long executorId) {
    return new NewInstance(origin, definitionId, startState, input, variables, due, executorId);
  }

  /** A fingerprint of input and variables, by which a repeated start is compared with the first. */
  public String payloadHash() {
    StringBuilder text = new StringBuilder().append(input).append('\n');
    new TreeMap<>(variables)
        .forEach((name, value) -> text.append(name).append('=').append(value).append('\n'));
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(text.toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java runtime has SHA-256", e);
    }
  }
}
