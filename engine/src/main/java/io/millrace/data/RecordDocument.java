package io.millrace.data;

import io.millrace.instance.StorableText;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The records of a document, and the document without some of them. */
public interface RecordDocument {

  /** The records, in their order. */
  List<ParsedRecord> all();

  /**
   * The document of some of the records.
   *
   * @param tokens of each of them, to be added; empty to add none
   */
  String without(List<Integer> passedOver, List<ReduceToken> tokens);

  /**
   * A record.
   *
   * @param key null when the group has none, or the record lacks it
   * @param content as it is hashed
   * @param fault why it cannot be compared; null when it can
   */
  record ParsedRecord(
      @Nullable String key, String content, @Nullable ReduceToken token, @Nullable String fault) {

    /** Returns a record with its key, or with an error if the key is invalid. */
    static ParsedRecord keyed(String key, String content, @Nullable ReduceToken token) {
      boolean fits =
          !key.isBlank() && key.length() <= ReduceOptions.MAX_KEY && StorableText.isStorable(key);
      return fits
          ? new ParsedRecord(key, content, token, null)
          : new ParsedRecord(
              null,
              content,
              token,
              "has a key of "
                  + key.length()
                  + " characters; expected 1 to "
                  + ReduceOptions.MAX_KEY
                  + ", not blank, "
                  + StorableText.EXPECTED);
    }
  }

  /** Field of the key's token in a record. */
  String KEY_TOKEN = "__KeyToken";

  /** Field of the value's token in a record. */
  String VALUE_TOKEN = "__ValueToken";

  /** Reads records that were written as JSON, one by one. */
  static Function<String, ParsedRecord> json(ReduceOptions options) {
    return JsonRecordDocument.reader(options);
  }

  /**
   * Reads a document.
   *
   * @throws io.millrace.instance.InvalidRequestException when it cannot be read
   */
  static RecordDocument of(ReduceSource source, ReduceOptions options, String document) {
    return switch (source.format()) {
      case JSON -> JsonRecordDocument.parse(source, options, document);
      case XML -> XmlRecordDocument.parse(source, options, document);
    };
  }
}
