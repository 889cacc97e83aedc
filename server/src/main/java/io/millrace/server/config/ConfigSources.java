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
public record ConfigSources(
    Map<String, String> properties, Map<String, String> environment, @Nullable Path file) {

  /** The file in the home folder that is read when nobody names one. */
  public static final Path USUAL_FILE = Path.of("server-config.json");

  /**
   * What this process was given.
   *
   * @param file null for {@link #USUAL_FILE} of the home folder, where it exists
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
