package io.millrace.store.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A splitter of SQL text into its statements. */
final class SqlStatements {

  /**
   * A statement without the semicolon at its end.
   *
   * @param line the line of the text on which it starts, from 1
   */
  record SqlStatement(int line, String sql) {}

  private static final Pattern DOLLAR_QUOTE =
      Pattern.compile("\\$(?:[\\p{L}_][\\p{L}\\p{N}_]*)?\\$");

  private final String text;
  private final List<SqlStatement> statements = new ArrayList<>();

  private SqlStatements(String text) {
    this.text = text;
  }

  /**
   * Returns the statements of a text in their order. Semicolons in strings, quoted names, dollar
   * quotes and comments end none, and a part of comments alone is none.
   *
   * @throws IllegalArgumentException if a quote or comment has no end
   */
  static List<SqlStatement> split(String text) {
    SqlStatements split = new SqlStatements(text);
    split.run();
    return List.copyOf(split.statements);
  }

  /**
   * Returns a text without its comments and the lines that hold only those, for tools that take a
   * semicolon in a comment for the end of a statement.
   */
  static String withoutComments(String text) {
    SqlStatements source = new SqlStatements(text);
    StringBuilder plain = new StringBuilder(text.length());
    int at = 0;
    while (at < text.length()) {
      int next = source.endOfComment(at);
      if (next > at) {
        int line = plain.lastIndexOf("\n") + 1;
        if (plain.substring(line).isBlank() && text.startsWith("\n", next)) {
          plain.setLength(line);
          next++;
        }
      } else {
        next = Character.isWhitespace(text.charAt(at)) ? at + 1 : source.endOfToken(at);
        plain.append(text, at, next);
      }
      at = next;
    }
    return plain.toString().strip() + "\n";
  }

  private void run() {
    int start = -1;
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      int next = endOfComment(at);
      if (next == at && c == ';') {
        add(start, at);
        start = -1;
        next = at + 1;
      } else if (next == at && !Character.isWhitespace(c)) {
        start = start < 0 ? at : start;
        next = endOfToken(at);
      } else if (next == at) {
        next = at + 1;
      }
      at = next;
    }
    add(start, text.length());
  }

  private void add(int start, int end) {
    if (start >= 0) {
      statements.add(new SqlStatement(line(start), text.substring(start, end).strip()));
    }
  }

  private int line(int position) {
    return 1 + (int) text.substring(0, position).chars().filter(c -> c == '\n').count();
  }

  /** Returns the end of the comment that starts at {@code at}; {@code at} if none does. */
  private int endOfComment(int at) {
    if (text.startsWith("--", at)) {
      int end = text.indexOf('\n', at);
      return end < 0 ? text.length() : end;
    }
    return text.startsWith("/*", at) ? endOfBlock(at) : at;
  }

  /** Block comments can be nested. */
  private int endOfBlock(int start) {
    int depth = 0;
    int at = start;
    while (at < text.length()) {
      if (text.startsWith("/*", at)) {
        depth++;
        at += 2;
      } else if (text.startsWith("*/", at)) {
        at += 2;
        if (--depth == 0) {
          return at;
        }
      } else {
        at++;
      }
    }
    throw unclosed("/*", start);
  }

  /** Returns the end of the quoted text, the word or the character at {@code at}. */
  private int endOfToken(int at) {
    char c = text.charAt(at);
    if (c == '\'' || c == '"') {
      return endOfQuote(at, c, false);
    }
    if ((c == 'E' || c == 'e') && text.startsWith("'", at + 1)) {
      return endOfQuote(at + 1, '\'', true);
    }
    if (c == '$') {
      Matcher quote = DOLLAR_QUOTE.matcher(text).region(at, text.length());
      if (quote.lookingAt()) {
        int end = text.indexOf(quote.group(), quote.end());
        if (end < 0) {
          throw unclosed(quote.group(), at);
        }
        return end + quote.group().length();
      }
    }
    // A dollar sign inside a word starts no quote, and an E at its end no string with escapes.
    int end = at + 1;
    while (Character.isJavaIdentifierPart(c)
        && end < text.length()
        && Character.isJavaIdentifierPart(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private int endOfQuote(int start, char quote, boolean escapes) {
    for (int at = start + 1; at < text.length(); at++) {
      char c = text.charAt(at);
      if (escapes && c == '\\') {
        at++;
      } else if (c == quote) {
        // A doubled quote looks like the end of one and the start of another, which is as good.
        return at + 1;
      }
    }
    throw unclosed(String.valueOf(quote), start);
  }

  private IllegalArgumentException unclosed(String opening, int at) {
    return new IllegalArgumentException(
        "The " + opening + " on line " + line(at) + " has no end; close it.");
  }
}
