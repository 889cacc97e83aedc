package io.millrace.server.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The sources of the configuration.
 *
 * @param properties system properties
 * @param environment environment variables
 * @param file HOCON or JSON; null for none
 */
public record ConfigSources(
    Map<String, String> properties, Map<String, String> environment, @Nullable Path file) {

  /** The file in the home folder that is read if no file is named. */
  public static final Path USUAL_FILE = Path.of("server-config.json");

  /**
   * Returns the sources of this process.
   *
   * @param file null for {@link #USUAL_FILE} of the home folder, if it exists
   */
  public static ConfigSources ofProcess(@Nullable Path file) {
    Map<String, String> properties = new TreeMap<>();
    System.getProperties()
        .stringPropertyNames()
        .forEach(name -> properties.put(name, System.getProperty(name, "")));
    String home =
        properties.getOrDefault("millrace.home", System.getenv().getOrDefault("MILLRACE_HOME", ""));
    Path usual = Path.of(home).resolve(USUAL_FILE);
    Path found = Files.exists(usual) ? usual : null;
    return new ConfigSources(properties, System.getenv(), file == null ? found : file);
  }
}
