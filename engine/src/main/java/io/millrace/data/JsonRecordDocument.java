package io.millrace.data;

import io.millrace.instance.InvalidRequestException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Records in a JSON array. */
final class JsonRecordDocument implements RecordDocument {

  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private final JsonNode root;
  private final ArrayNode array;
  private final ReduceOptions options;

  private JsonRecordDocument(JsonNode root, ArrayNode array, ReduceOptions options) {
    this.root = root;
    this.array = array;
    this.options = options;
  }

  static JsonRecordDocument parse(ReduceSource source, ReduceOptions options, String document) {
    JsonNode root;
    try {
      root = MAPPER.readTree(document);
    } catch (JacksonException e) {
      throw new InvalidRequestException("The document is no JSON: " + e.getOriginalMessage());
    }
    if (root.at(pointer(source.path())) instanceof ArrayNode array) {
      return new JsonRecordDocument(root, array, options);
    }
    throw new InvalidRequestException(
        "The document has no array at '"
            + source.path()
            + "'; expected the path of the array of records, such as $.customers, or nothing for an"
            + " array at the root.");
  }

  /** Reads {@code /a/b}, {@code $.a.b} and {@code $.a.b[*]}. */
  static JsonPointer pointer(String path) {
    String bare = path.strip();
    if (bare.endsWith("[*]")) {
      bare = bare.substring(0, bare.length() - 3);
    }
    if (bare.startsWith("$")) {
      bare = bare.substring(1).replace("~", "~0").replace("/", "~1").replace('.', '/');
    } else if (!bare.isEmpty() && !bare.startsWith("/")) {
      bare = "/" + bare.replace('.', '/');
    }
    try {
      return JsonPointer.compile(bare);
    } catch (IllegalArgumentException e) {
      throw new InvalidRequestException(
          "'" + path + "' is no path in JSON; expected one such as /a/b or $.a.b.");
    }
  }

  @Override
  public List<ParsedRecord> all() {
    List<ParsedRecord> records = new ArrayList<>();
    JsonRecordReader reader = new JsonRecordReader(options);
    for (JsonNode node : array) {
      records.add(reader.read(node));
    }
    return records;
  }

  /** Reads values that were written as JSON. */
  static Function<String, ParsedRecord> reader(ReduceOptions options) {
    JsonRecordReader reader = new JsonRecordReader(options);
    return json -> reader.read(MAPPER.readTree(json));
  }

  @Override
  public String without(List<Integer> passedOver, List<ReduceToken> tokens) {
    Set<Integer> gone = new HashSet<>(passedOver);
    List<JsonNode> kept = new ArrayList<>();
    for (int i = 0; i < array.size(); i++) {
      if (!gone.contains(i)) {
        kept.add(withToken(array.get(i), tokens.isEmpty() ? null : tokens.get(kept.size())));
      }
    }
    array.removeAll();
    kept.forEach(array::add);
    return root.toString();
  }

  private static JsonNode withToken(JsonNode node, @Nullable ReduceToken token) {
    if (token != null && node instanceof ObjectNode object) {
      object.put(KEY_TOKEN, token.keyHash());
      object.put(VALUE_TOKEN, token.valueText());
    }
    return node;
  }
}
