package io.millrace.codec;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reader of one JSON text by the grammar of RFC 8259, without extensions. */
final class PlainJsonReader {

  /** Longest number in characters: arithmetic with longer ones takes too long. */
  private static final int MAX_NUMBER = 1_000;

  /** Numbers of so many characters fit into a {@code long}. */
  private static final int LONG_CHARACTERS = 18;

  private static final char END = '\uFFFF';

  private final String text;
  private final JsonLimits limits;
  private int at;
  private int depth;

  PlainJsonReader(String text, JsonLimits limits) {
    this.text = text;
    this.limits = limits;
  }

  @Nullable Object document() {
    int bytes = JsonLimits.bytes(text, limits.maxBytes());
    if (bytes > limits.maxBytes()) {
      throw new CodecException(
          "The JSON has " + bytes + " bytes, expected at most " + limits.maxBytes() + ".", null);
    }
    skipSpace();
    Object value = value();
    skipSpace();
    if (at < text.length()) {
      throw unexpected("the end of the text");
    }
    return value;
  }

  private @Nullable Object value() {
    return switch (peek()) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      case 't' -> literal("true", true);
      case 'f' -> literal("false", false);
      case 'n' -> literal("null", null);
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
      default -> throw unexpected("a value");
    };
  }

  private Map<String, @Nullable Object> object() {
    enter();
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    if (skipIf('}')) {
      return members;
    }
    do {
      skipSpace();
      if (peek() != '"') {
        throw unexpected("a name in quotes");
      }
      String name = string();
      skipSpace();
      if (peek() != ':') {
        throw unexpected("':' after the name");
      }
      at++;
      skipSpace();
      members.put(name, value());
    } while (another('}'));
    return members;
  }

  private List<@Nullable Object> array() {
    enter();
    List<@Nullable Object> elements = new ArrayList<>();
    if (skipIf(']')) {
      return elements;
    }
    do {
      skipSpace();
      elements.add(value());
    } while (another(']'));
    return elements;
  }

  private void enter() {
    if (++depth > limits.maxDepth()) {
      throw wrong(at, "more than " + limits.maxDepth() + " levels of arrays and objects");
    }
    at++;
  }

  /** Skips the end of an empty array or object. */
  private boolean skipIf(char end) {
    skipSpace();
    if (peek() != end) {
      return false;
    }
    at++;
    depth--;
    return true;
  }

  /** Skips a comma and returns true, or skips the end and returns false. */
  private boolean another(char end) {
    skipSpace();
    char c = peek();
    if (c != ',' && c != end) {
      throw unexpected("',' or '" + end + "'");
    }
    at++;
    if (c == end) {
      depth--;
    }
    return c == ',';
  }

  private String string() {
    int start = at + 1;
    int end = start;
    while (end < text.length() && isPlain(text.charAt(end))) {
      end++;
    }
    at = end;
    if (peek() != '"') {
      return escaped(start);
    }
    at++;
    return text.substring(start, end);
  }

  /** True if the character may be in a string as it is and needs no check of its neighbor. */
  private static boolean isPlain(char c) {
    return c >= ' ' && c != '"' && c != '\\' && !Character.isSurrogate(c);
  }

  /** Reads the rest of a string of which plain characters from {@code start} were read. */
  private String escaped(int start) {
    StringBuilder out = new StringBuilder().append(text, start, at);
    char open = 0; // the first half of a pair
    while (true) {
      int from = at;
      char c = peek();
      if (c < ' ' || at >= text.length()) {
        throw unexpected("the end of the string");
      }
      at++;
      boolean ends = c == '"';
      if (c == '\\') {
        c = escape(from);
      }
      if (Character.isLowSurrogate(c) != (open != 0)) {
        throw wrong(from, "half of a surrogate pair, which no database keeps");
      }
      if (ends) {
        return out.toString();
      }
      open = Character.isHighSurrogate(c) ? c : 0;
      out.append(c);
    }
  }

  private char escape(int from) {
    char c = peek();
    at++;
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> hex(from);
      default ->
          throw wrong(
              from, "an unknown escape; expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u");
    };
  }

  private char hex(int from) {
    int code = 0;
    for (int i = 0; i < 4; i++) {
      char c = peek();
      int digit = c < 128 ? Character.digit(c, 16) : -1;
      if (digit < 0) {
        throw wrong(from, "an escape without four hexadecimal digits");
      }
      code = code << 4 | digit;
      at++;
    }
    return (char) code;
  }

  private Number number() {
    int start = at;
    if (peek() == '-') {
      at++;
    }
    if (peek() == '0') {
      at++;
    } else {
      digits();
    }
    boolean whole = true;
    if (peek() == '.') {
      at++;
      digits();
      whole = false;
    }
    if (peek() == 'e' || peek() == 'E') {
      at++;
      if (peek() == '+' || peek() == '-') {
        at++;
      }
      digits();
      whole = false;
    }
    return number(start, whole);
  }

  private Number number(int start, boolean whole) {
    if (at - start > MAX_NUMBER) {
      throw wrong(start, "a number of more than " + MAX_NUMBER + " characters");
    }
    String digits = text.substring(start, at);
    if (!whole) {
      try {
        return new BigDecimal(digits);
      } catch (NumberFormatException e) {
        throw wrong(start, "a number whose exponent is too large");
      }
    }
    if (digits.length() > LONG_CHARACTERS) {
      BigInteger big = new BigInteger(digits);
      return big.bitLength() < Long.SIZE ? (Number) big.longValueExact() : big;
    }
    long number = Long.parseLong(digits);
    return number == (int) number ? (Number) (int) number : number;
  }

  private void digits() {
    int start = at;
    while (peek() >= '0' && peek() <= '9') {
      at++;
    }
    if (at == start) {
      throw unexpected("a digit");
    }
  }

  private @Nullable Object literal(String word, @Nullable Object value) {
    if (!text.startsWith(word, at)) {
      throw unexpected("a value");
    }
    at += word.length();
    return value;
  }

  private void skipSpace() {
    while (peek() == ' ' || peek() == '\n' || peek() == '\r' || peek() == '\t') {
      at++;
    }
  }

  /** Returns the next character, or one that no JSON expects at the end. */
  private char peek() {
    return at < text.length() ? text.charAt(at) : END;
  }

  private CodecException unexpected(String expected) {
    String found = "the end of the text";
    if (at < text.length()) {
      char c = text.charAt(at);
      found =
          c > ' ' && c < 127
              ? "'" + c + "'"
              : String.format(Locale.ROOT, "the character U+%04X", text.codePointAt(at));
    }
    return wrong(at, found + ", expected " + expected);
  }

  private CodecException wrong(int position, String what) {
    int line = 1;
    int column = 1;
    for (int i = 0; i < position; i++) {
      column++;
      if (text.charAt(i) == '\n') {
        line++;
        column = 1;
      }
    }
    return new CodecException(
        "Invalid JSON at line " + line + ", column " + column + ": " + what + ".", null);
  }
}
