package io.millrace.lifecycle;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The version of Millrace. */
public final class EngineVersion {

  private static final String TEXT = read();

  private EngineVersion() {}

  /** Returns the version, for example {@code 0.1.0}. */
  public static String text() {
    return TEXT;
  }

  /**
   * Reads the version from a file that the build writes; a manifest would be missing outside of a
   * jar.
   */
  private static String read() {
    try (InputStream file = EngineVersion.class.getResourceAsStream("version.txt")) {
      return file == null
          ? "unknown"
          : new String(file.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("version.txt beside " + EngineVersion.class, e);
    }
  }
}
