package io.millrace.server.http;

import io.millrace.instance.StorableText;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;

/** The validation and decoding of text from clients. */
final class InputText {

  private InputText() {}

  /**
   * Returns the same text. Rejects NUL and half of a surrogate pair, which databases do not accept.
   */
  static String checked(String field, String text) {
    if (!StorableText.isStorable(text)) {
      throw ProblemException.invalid(
          field, "holds NUL or half of a surrogate pair; expected Unicode text without NUL.");
    }
    return text;
  }

  static String checked(String field, String text, int min, int max) {
    checked(field, text);
    int length = text.length();
    if (length < min || length > max) {
      throw ProblemException.invalid(
          field,
          "has "
              + length
              + " characters; expected "
              + (min > 0 ? min + " to " : "at most ")
              + max
              + ".");
    }
    return text;
  }

  /** Returns the text of these bytes, which must be UTF-8. */
  static String utf8(String field, byte[] bytes, int length) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, 0, length))
          .toString();
    } catch (CharacterCodingException e) {
      throw ProblemException.invalid(field, "is not UTF-8.");
    }
  }

  /** Decodes percent-encoded characters, and plus signs as spaces. */
  static String percentDecoded(String field, String encoded) {
    byte[] bytes = new byte[encoded.length()];
    int length = 0;
    for (int i = 0; i < encoded.length(); i++) {
      char c = encoded.charAt(i);
      if (c == '%') {
        OptionalInt octet = octet(encoded, i + 1);
        if (octet.isEmpty()) {
          throw ProblemException.invalid(
              field, "has a percent sign that two hexadecimal digits do not follow.");
        }
        bytes[length++] = (byte) octet.getAsInt();
        i += 2;
      } else if (c > 0x7e || c < 0x20) {
        throw ProblemException.invalid(
            field, "has a character that must be sent percent-encoded as UTF-8.");
      } else {
        bytes[length++] = (byte) (c == '+' ? ' ' : c);
      }
    }
    return checked(field, utf8(field, bytes, length));
  }

  private static OptionalInt octet(String text, int at) {
    if (at + 2 > text.length()) {
      return OptionalInt.empty();
    }
    int high = Character.digit(text.charAt(at), 16);
    int low = Character.digit(text.charAt(at + 1), 16);
    return high < 0 || low < 0 ? OptionalInt.empty() : OptionalInt.of(high << 4 | low);
  }
}
