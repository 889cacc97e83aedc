package io.millrace.server.security;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rules for new passwords by NIST SP 800-63B: passwords that attackers try first are rejected,
 * and there are no rules on kinds of characters. A password is weak if little remains of it without
 * common passwords, sequences, repetitions, years, and the names of the user and the product.
 */
final class PasswordRules {

  /** The message for a user who has chosen a weak password. */
  static final String ADVICE =
      "is easy to guess: it consists of little more than common passwords, sequences, repetitions,"
          + " or the name of the user or of Millrace. Choose another one, such as four words that"
          + " have nothing to do with each other.";

  private static final String PRODUCT = "millrace";
  private static final String FILE = "io/millrace/server/security/common-passwords.txt";

  /** Minimum score of a password; a character outside any known word or pattern scores 1. */
  private static final int MIN = 6;

  private static final int WORTH_OF_WORD = 2;
  private static final int MIN_WORD = 4;
  private static final int MAX_WORD = 30;
  private static final int MIN_NAME = 3;
  private static final int MIN_SEQUENCE = 3;
  private static final int DIGITS_OF_YEAR = 4;

  /** Rows of adjacent keys on keyboards, in both directions. */
  private static final List<String> ROWS =
      Stream.of(
              "1234567890",
              "qwertyuiop",
              "qwertzuiopü",
              "azertyuiop",
              "asdfghjklöä",
              "qsdfghjklm",
              "zxcvbnm",
              "yxcvbnm",
              "wxcvbn",
              "1q2w3e4r5t6y7u8i9o0p",
              "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
              "qazwsxedcrfvtgbyhnujmikolp")
          .flatMap(row -> Stream.of(row, reversed(row)))
          .toList();

  private static final Set<String> COMMON = read();

  private final String plain;
  private final List<String> spellings;
  private final Set<String> names;

  private PasswordRules(String password, String user) {
    // One character can expand to 18, and the search for patterns is much slower for longer texts.
    String normal = Normalizer.normalize(password, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
    this.plain = normal.substring(0, Math.min(normal.length(), PasswordHasher.MAX_LENGTH));
    this.spellings = List.of(plain, withoutLeet(plain, 'i'), withoutLeet(plain, 'l'));
    this.names =
        Stream.concat(
                Stream.of(PRODUCT, user.toLowerCase(Locale.ROOT)),
                Arrays.stream(user.toLowerCase(Locale.ROOT).split("[._@+-]", -1)))
            .filter(name -> name.length() >= MIN_NAME)
            .collect(Collectors.toSet());
  }

  /** Returns true if {@code password} is easy to guess as the password of {@code user}. */
  static boolean isWeak(String password, String user) {
    return new PasswordRules(password, user).worth() < MIN;
  }

  /** Returns the least total score of the parts into which the password can be split. */
  private int worth() {
    int[] least = new int[plain.length() + 1];
    for (int end = 1; end <= plain.length(); end++) {
      least[end] = least[end - 1] + 1;
      for (int from = Math.max(0, end - MAX_WORD); from <= end - MIN_SEQUENCE; from++) {
        least[end] = Math.min(least[end], least[from] + worth(from, end));
      }
      for (int period = 1; period < end; period++) {
        for (int from = end - 1; from >= period && repeats(from, period); from--) {
          least[end] = Math.min(least[end], least[from] + 1);
        }
      }
    }
    return least[plain.length()];
  }

  private boolean repeats(int at, int period) {
    return plain.charAt(at) == plain.charAt(at - period);
  }

  private int worth(int from, int end) {
    String part = plain.substring(from, end);
    if (names.contains(part) || isSequence(part) || isYear(part)) {
      return 1;
    }
    return part.length() >= MIN_WORD && isCommon(from, end) ? WORTH_OF_WORD : part.length();
  }

  private boolean isCommon(int from, int end) {
    return spellings.stream()
        .map(spelling -> spelling.substring(from, end))
        .anyMatch(part -> COMMON.contains(part) || COMMON.contains(reversed(part)));
  }

  private static boolean isSequence(String part) {
    int distance = part.charAt(1) - part.charAt(0);
    boolean even = Math.abs(distance) == 1;
    for (int i = 2; even && i < part.length(); i++) {
      even = part.charAt(i) - part.charAt(i - 1) == distance;
    }
    return even || ROWS.stream().anyMatch(row -> row.contains(part));
  }

  private static boolean isYear(String part) {
    return part.length() == DIGITS_OF_YEAR
        && (part.startsWith("19") || part.startsWith("20"))
        && part.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  /** Replaces the digits and signs that are used in place of letters; the length stays the same. */
  private static String withoutLeet(String text, char one) {
    StringBuilder letters = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      letters.append(
          switch (c) {
            case '0' -> 'o';
            case '1', '!' -> one;
            case '3' -> 'e';
            case '4', '@' -> 'a';
            case '5', '$' -> 's';
            case '7' -> 't';
            default -> c;
          });
    }
    return letters.toString();
  }

  private static String reversed(String text) {
    return new StringBuilder(text).reverse().toString();
  }

  private static Set<String> read() {
    try (InputStream in = PasswordRules.class.getClassLoader().getResourceAsStream(FILE)) {
      if (in == null) {
        throw new IllegalStateException("Missing resource " + FILE + " on the class path");
      }
      return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
          .lines()
          .filter(line -> !line.startsWith("#"))
          .collect(Collectors.toCollection(HashSet::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
