package io.millrace.server;

import io.millrace.instance.InvalidRequestException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A file of arguments in UTF-8, one on each line, as in {@code millrace @arguments.txt}. On Windows
 * Java replaces characters that the code page lacks by question marks, which cannot be told from
 * typed ones; a file has all characters.
 */
final class ArgumentFile {

  private static final String PREFIX = "@";

  /** The character with which some editors begin a file in UTF-8. */
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private ArgumentFile() {}

  /**
   * Returns the arguments of the file that the first argument names, followed by the others; or the
   * same arguments if the first names no file.
   *
   * @throws InvalidRequestException if the file cannot be read
   */
  static String[] expanded(String... given) {
    if (given.length == 0 || !given[0].startsWith(PREFIX)) {
      return given;
    }
    List<String> arguments = new ArrayList<>(lines(given[0].substring(PREFIX.length())));
    arguments.addAll(Arrays.asList(given).subList(1, given.length));
    return arguments.toArray(String[]::new);
  }

  private static List<String> lines(String file) {
    try {
      String text = Files.readString(Path.of(file), StandardCharsets.UTF_8);
      return (text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text)
          .lines()
          .filter(line -> !line.isEmpty())
          .toList();
    } catch (CharacterCodingException e) {
      throw new InvalidRequestException(
          "The argument file '"
              + file
              + "' is not UTF-8. Save it as UTF-8, in PowerShell with Set-Content -Encoding utf8.");
    } catch (IOException | InvalidPathException e) {
      throw new InvalidRequestException(
          "The argument file '"
              + file
              + "' cannot be read ("
              + e
              + "); expected a file in UTF-8 with one argument on each line. Check its name.");
    }
  }
}
