package io.millrace.server;

import io.millrace.instance.InvalidRequestException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The arguments of the program as they were typed. In a locale of ASCII alone, such as C, Java
 * replaces all other characters before the program sees them.
 */
final class TypedArguments {

  /** The character that Java substitutes for a byte that its locale does not know. */
  private static final char LOST = '\uFFFD';

  /** The file in which Linux keeps the bytes of the arguments, each followed by NUL. */
  private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

  private TypedArguments() {}

  /**
   * Returns the arguments decoded as UTF-8.
   *
   * @throws InvalidRequestException if an argument cannot be recovered
   */
  static String[] of(String... given) {
    for (String argument : given) {
      if (argument.indexOf(LOST) >= 0) {
        return recovered(commandLine(), given);
      }
    }
    return given;
  }

  /**
   * Returns the arguments recovered from the bytes of a command line, which ends with them.
   *
   * @param commandLine empty if it is not known
   */
  static String[] recovered(byte[] commandLine, String... given) {
    List<byte[]> words = words(commandLine);
    String[] typed = given.clone();
    for (int i = 0; i < given.length; i++) {
      if (given[i].indexOf(LOST) >= 0) {
        int at = words.size() - given.length + i;
        boolean known =
            at >= 0 && ascii(words.get(at)).equals(given[i].replaceAll("[^\\x00-\\x7f]", ""));
        typed[i] = known ? utf8(i, given[i], words.get(at)) : refuse(i, given[i]);
      }
    }
    return typed;
  }

  private static byte[] commandLine() {
    try {
      return Files.readAllBytes(COMMAND_LINE);
    } catch (IOException e) {
      return new byte[0]; // another system
    }
  }

  private static List<byte[]> words(byte[] commandLine) {
    List<byte[]> words = new ArrayList<>();
    int begin = 0;
    for (int i = 0; i < commandLine.length; i++) {
      if (commandLine[i] == 0) {
        words.add(Arrays.copyOfRange(commandLine, begin, i));
        begin = i + 1;
      }
    }
    return words;
  }

  /** Returns the characters of a word that every locale preserves; they identify the word. */
  private static String ascii(byte[] word) {
    StringBuilder text = new StringBuilder();
    for (byte one : word) {
      if (one >= 0) {
        text.append((char) one);
      }
    }
    return text.toString();
  }

  private static String utf8(int index, String given, byte[] word) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(word)).toString();
    } catch (CharacterCodingException e) {
      return refuse(index, given);
    }
  }

  private static String refuse(int index, String given) {
    throw new InvalidRequestException(
        "Argument "
            + (index + 1)
            + ", '"
            + given
            + "', has characters that cannot be told in this locale, or is not UTF-8. Type it as"
            + " UTF-8 in a locale of UTF-8, as by LC_ALL=C.UTF-8.");
  }
}
