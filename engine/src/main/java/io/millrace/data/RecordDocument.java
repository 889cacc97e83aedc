package io.millrace.data;

import io.millrace.instance.StorableText;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The records of a document. Can write the document without some of them. */
public interface RecordDocument {

  /** Returns the records, in their order. */
  List<ParsedRecord> all();

  /**
   * Returns the document without the records at the given positions.
   *
   * @param tokens of the records that remain, to be added; empty to add none
   */
  String without(List<Integer> passedOver, List<ReduceToken> tokens);

  /**
   * A record.
   *
   * @param key null if the group has none, or the record lacks it
   * @param content the text that is hashed
   * @param fault why it cannot be compared; null if it can
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
   * @throws io.millrace.instance.InvalidRequestException if it cannot be read
   */
  static RecordDocument of(ReduceSource source, ReduceOptions options, String document) {
    return switch (source.format()) {
      case JSON -> JsonRecordDocument.parse(source, options, document);
      case XML -> XmlRecordDocument.parse(source, options, document);
    };
  }
}
