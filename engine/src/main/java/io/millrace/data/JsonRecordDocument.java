package io.millrace.data;

import io.millrace.codec.CodecException;
import io.millrace.codec.JsonLimits;
import io.millrace.codec.PlainJson;
import io.millrace.instance.InvalidRequestException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Records in a JSON array. */
final class JsonRecordDocument implements RecordDocument {

  /** A document is not stored, so it may be larger than a value of an instance. */
  static final JsonLimits LIMITS = new JsonLimits(1 << 30, 500);

  private final @Nullable Object root;
  private final List<@Nullable Object> array;
  private final ReduceOptions options;

  private JsonRecordDocument(
      @Nullable Object root, List<@Nullable Object> array, ReduceOptions options) {
    this.root = root;
    this.array = array;
    this.options = options;
  }

  @SuppressWarnings("unchecked") // lists of a parsed document
  static JsonRecordDocument parse(ReduceSource source, ReduceOptions options, String document) {
    Object root;
    try {
      root = PlainJson.parse(document, LIMITS);
    } catch (CodecException e) {
      throw new InvalidRequestException("The document must be JSON: " + e.getMessage());
    }
    if (JsonPath.of(source.path()).in(root) instanceof List<?> array) {
      return new JsonRecordDocument(root, (List<@Nullable Object>) array, options);
    }
    throw new InvalidRequestException(
        "The document has no array at '"
            + source.path()
            + "'; expected the path of the array of records, such as $.customers, or nothing for an"
            + " array at the root.");
  }

  @Override
  public List<ParsedRecord> all() {
    JsonRecordReader reader = new JsonRecordReader(options);
    return array.stream().map(reader::read).toList();
  }

  /** Reads values that were written as JSON. */
  static Function<String, ParsedRecord> reader(ReduceOptions options) {
    JsonRecordReader reader = new JsonRecordReader(options);
    return json -> reader.read(PlainJson.parse(json, LIMITS));
  }

  @Override
  public String without(List<Integer> passedOver, List<ReduceToken> tokens) {
    Set<Integer> gone = new HashSet<>(passedOver);
    List<@Nullable Object> kept = new ArrayList<>();
    for (int i = 0; i < array.size(); i++) {
      if (!gone.contains(i)) {
        kept.add(withToken(array.get(i), tokens.isEmpty() ? null : tokens.get(kept.size())));
      }
    }
    array.clear();
    array.addAll(kept);
    return PlainJson.write(root, LIMITS);
  }

  @SuppressWarnings("unchecked") // maps of a parsed document
  private static @Nullable Object withToken(@Nullable Object record, @Nullable ReduceToken token) {
    if (token != null && record instanceof Map<?, ?> members) {
      Map<String, @Nullable Object> changed = (Map<String, @Nullable Object>) members;
      changed.put(KEY_TOKEN, token.keyHash());
      changed.put(VALUE_TOKEN, token.valueText());
    }
    return record;
  }
}
