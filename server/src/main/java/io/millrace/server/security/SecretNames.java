package io.millrace.server.security;

import io.millrace.instance.InvalidRequestException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The names whose values are secret, such as {@code dbPassword}: a fixed list of words, and the
 * names of the setting {@code secrets.names}. The HTTP interface shows {@link SealedValues#MASK} in
 * place of such a value, as it does for sealed values. Immutable.
 */
public final class SecretNames {

  private static final Set<String> WORDS =
      Set.of(
          "password",
          "passwords",
          "passwd",
          "pwd",
          "passphrase",
          "secret",
          "secrets",
          "token",
          "tokens",
          "credential",
          "credentials",
          "authorization",
          "apikey",
          "privatekey",
          "accesskey",
          "signingkey");

  /** The words before "key" that make it the name of a secret. */
  private static final Set<String> KINDS_OF_KEY = Set.of("api", "private", "access", "signing");

  private static final Pattern BETWEEN_WORDS =
      Pattern.compile("[^\\p{L}\\p{N}]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private final List<List<String>> more;

  private SecretNames(List<List<String>> more) {
    this.more = more;
  }

  /**
   * Returns the fixed words together with further names.
   *
   * @param names names of one or more words, in any of the usual spellings
   */
  public static SecretNames with(List<String> names) {
    return new SecretNames(
        names.stream().map(SecretNames::words).filter(words -> !words.isEmpty()).toList());
  }

  private static List<String> words(String name) {
    return BETWEEN_WORDS
        .splitAsStream(name)
        .filter(word -> !word.isEmpty())
        .map(word -> word.toLowerCase(Locale.ROOT))
        .toList();
  }

  /** Returns true if values of this name are secret. */
  public boolean isSecret(String name) {
    List<String> words = words(name);
    for (List<String> further : more) {
      if (Collections.indexOfSubList(words, further) >= 0
          || words.contains(String.join("", further))) {
        return true;
      }
    }
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (WORDS.contains(word)
          || (word.equals("key") && i > 0 && KINDS_OF_KEY.contains(words.get(i - 1)))) {
        return true;
      }
    }
    return false;
  }

  /** Returns JSON text without sealed values and without values with secret names. */
  public String mask(String json) {
    String unsealed = SealedValues.mask(json);
    try {
      JsonNode value = JSON.readTree(unsealed);
      JsonNode masked = mask(value);
      return masked.equals(value) ? unsealed : JSON.writeValueAsString(masked);
    } catch (JacksonException e) {
      return SealedValues.MASK;
    }
  }

  /**
   * Returns text without secret values if it is a JSON object or array, or else unchanged. If text
   * only starts like JSON and contains a secret name, all of it is masked.
   */
  public String maskText(String text) {
    String trimmed = text.strip();
    if (!trimmed.startsWith("{") && !trimmed.startsWith("[")) {
      return text;
    }
    try {
      JsonNode value = JSON.readTree(text);
      JsonNode masked = mask(value);
      return masked.equals(value) ? text : JSON.writeValueAsString(masked);
    } catch (JacksonException e) {
      return isSecret(text) || text.contains("$secret") ? SealedValues.MASK : text;
    }
  }

  /**
   * Returns true if a text that a caller searches for has members that responses mask. The result
   * of the search would confirm a guess of their values.
   */
  public boolean holdsSecret(String text) {
    return !maskText(text).equals(text);
  }

  /** Returns true if a value has members that responses mask. */
  public boolean holdsSecret(JsonNode value) {
    return !mask(value).equals(value);
  }

  /** Returns a value without the members with secret names. */
  public JsonNode mask(JsonNode value) {
    if (value.isObject() && value.has("$secret")) {
      return JSON.readTree(SealedValues.MASK);
    }
    if (value.isObject()) {
      ObjectNode masked = JSON.createObjectNode();
      value.propertyStream().forEach(p -> masked.set(p.getKey(), maskOf(p.getKey(), p.getValue())));
      return masked;
    }
    if (value.isArray()) {
      ArrayNode masked = JSON.createArrayNode();
      value.forEach(item -> masked.add(mask(item)));
      return masked;
    }
    return value;
  }

  /** Returns the value, or the mask if its name makes it secret. */
  public JsonNode maskOf(String name, JsonNode value) {
    return isSecret(name) && !value.isNull() ? JSON.readTree(SealedValues.MASK) : mask(value);
  }

  /** Returns true if a value contains a mask, which is not the real value. */
  public static boolean holdsMask(JsonNode value) {
    return isMask(value) || value.valueStream().anyMatch(SecretNames::holdsMask);
  }

  private static boolean isMask(JsonNode value) {
    return value.isObject() && value.size() == 1 && "***".equals(text(value.get("$secret")));
  }

  private static @Nullable String text(@Nullable JsonNode value) {
    return value == null || !value.isString() ? null : value.stringValue();
  }

  /**
   * Returns new parameters with the stored value in place of each mask, so that a client can send
   * back what it has read.
   *
   * @throws InvalidRequestException if no value is stored in the place of a mask; in a list whose
   *     length has changed, no stored value matches
   */
  public static Map<String, Object> restored(Map<String, Object> sent, Map<String, Object> stored) {
    Map<String, Object> result = new HashMap<>();
    sent.forEach((name, value) -> {
      Object kept = restored(name, value, stored.get(name));
      if (kept != null) {
        result.put(name, kept);
      }
    });
    return result;
  }

  /**
   * Checks new parameters, for which no values are stored yet.
   *
   * @throws InvalidRequestException if one contains a mask
   */
  public static void refuseMasks(Map<String, Object> sent) {
    restored(sent, Map.of());
  }

  private static @Nullable Object restored(
      String parameter, @Nullable Object sent, @Nullable Object stored) {
    if (sent instanceof Map<?, ?> map) {
      if (map.equals(Map.of("$secret", "***"))) {
        return keptSecret(parameter, stored);
      }
      Map<?, ?> before = stored instanceof Map<?, ?> known ? known : Map.of();
      Map<Object, @Nullable Object> result = new HashMap<>();
      map.forEach((name, value) -> result.put(name, restored(parameter, value, before.get(name))));
      return result;
    }
    if (sent instanceof List<?> list) {
      List<?> before =
          stored instanceof List<?> known && known.size() == list.size() ? known : List.of();
      List<@Nullable Object> result = new ArrayList<>();
      for (int i = 0; i < list.size(); i++) {
        result.add(restored(parameter, list.get(i), before.isEmpty() ? null : before.get(i)));
      }
      return result;
    }
    return sent;
  }

  private static Object keptSecret(String parameter, @Nullable Object stored) {
    if (stored == null) {
      throw new InvalidRequestException(
          "Parameter '"
              + parameter
              + "' holds "
              + SealedValues.MASK
              + ", which answers show in place of a secret value, and no value is stored there."
              + " Send the value itself.");
    }
    return stored;
  }
}
