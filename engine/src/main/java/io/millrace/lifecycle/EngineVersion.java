package io.millrace.lifecycle;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Which Millrace this is. */
public final class EngineVersion {

  private static final String TEXT = read();

  private EngineVersion() {}

  /** Returns the version, for example {@code 0.1.0}. */
  public static String text() {
    return TEXT;
  }

  /** The build writes it; a manifest would be missing outside of a jar. */
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
