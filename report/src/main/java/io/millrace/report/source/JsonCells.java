package io.millrace.report.source;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Converts JSON values to cells of a table. */
final class JsonCells {

  private JsonCells() {}

  static @Nullable Object of(JsonNode value) {
    if (value.isNull() || value.isMissingNode()) {
      return null;
    }
    if (value.isNumber()) {
      return value.numberValue();
    }
    if (value.isBoolean()) {
      return value.booleanValue();
    }
    return value.isString() ? value.stringValue() : value.toString();
  }
}
