package io.millrace.server.api;

import io.millrace.instance.HistoryEntry;
import io.millrace.server.security.SealedValues;
import io.millrace.server.security.SecretNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The changes of variables by each entry of a history, computed by reading the history from its
 * start.
 */
final class VariableDiffs {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private final Map<String, @Nullable String> values = new LinkedHashMap<>();
  private final SecretNames secretNames;

  VariableDiffs(SecretNames secretNames) {
    this.secretNames = secretNames;
  }

  /**
   * The schema VariableChange.
   *
   * @param before JSON text; null if the variable was not set
   * @param after JSON text; null if the variable was removed
   */
  record ChangeView(String name, @Nullable String before, @Nullable String after, boolean secret) {

    /** Returns the change without secret values. */
    static ChangeView of(
        String name, @Nullable String before, @Nullable String after, SecretNames secretNames) {
      boolean secret =
          secretNames.isSecret(name)
              || SealedValues.isSecret(before)
              || SealedValues.isSecret(after);
      return new ChangeView(
          name,
          before == null || secret ? null : secretNames.mask(before),
          after == null || secret ? null : secretNames.mask(after),
          secret);
    }
  }

  /** Returns the changes by {@code entry}; must be called for every entry in order. */
  List<ChangeView> next(HistoryEntry entry) {
    String changed = entry.outcome().variables();
    if (changed == null) {
      return List.of();
    }
    List<ChangeView> changes = new ArrayList<>();
    MAPPER
        .readTree(changed)
        .propertyStream()
        .forEach(property -> {
          JsonNode value = property.getValue();
          String after = value.isNull() ? null : MAPPER.writeValueAsString(value);
          String before = values.put(property.getKey(), after);
          changes.add(ChangeView.of(property.getKey(), before, after, secretNames));
        });
    return changes;
  }
}
