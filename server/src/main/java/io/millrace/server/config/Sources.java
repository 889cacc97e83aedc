package io.millrace.server.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where the configuration comes from.
 *
 * @param properties of the system
 * @param environment variables
 * @param file HOCON or JSON; null for none
 */
public record Sources(
    Map<String, String> properties, Map<String, String> environment, @Nullable Path file) {

  /** The file that is read when nobody names one. */
  public static final Path USUAL_FILE = Path.of("server-config.json");

  /**
   * What this process was given.
   *
   * @param file null for {@link #USUAL_FILE} where it exists
   */
  public static Sources ofProcess(@Nullable Path file) {
    Map<String, String> properties = new TreeMap<>();
    System.getProperties()
        .stringPropertyNames()
        .forEach(name -> properties.put(name, System.getProperty(name, "")));
    Path usual = Files.exists(USUAL_FILE) ? USUAL_FILE : null;
    return new Sources(properties, System.getenv(), file == null ? usual : file);
  }
}
