package io.millrace.server.config;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import com.typesafe.config.ConfigValueFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The configuration and where each value came from.
 *
 * @param settings every key, secrets masked
 * @param file what was read; null for no file
 * @param notes what people should know about the file, one sentence each
 */
public record LoadedConfig(
    ServerConfig config, List<Setting> settings, @Nullable Path file, List<String> notes) {

  private static final String ALIAS = "nflow.";

  /**
   * Reads the configuration. System properties {@code millrace.<key>} come before variables {@code
   * MILLRACE_<KEY>}, these before the file, then come nFlow's names in the same order, and the
   * defaults last.
   *
   * @throws ConfigProblems naming everything that is unknown or not allowed
   */
  public static LoadedConfig read(Sources sources) {
    List<String> problems = new ArrayList<>();
    Path file = sources.file();
    Map<String, ConfigObject> parts = file == null ? Map.of() : parse(file, problems);
    String name = file == null ? "" : String.valueOf(file.getFileName());
    ConfigObject written = parts.getOrDefault(Key.PREFIX, ConfigFactory.empty().root());
    List<String> foreign = Foreign.names(written);
    ConfigObject own = Foreign.without(written, foreign);
    ConfigObject alias = parts.getOrDefault(ALIAS, ConfigFactory.empty().root());

    Values values = new Values();
    for (Layer layer :
        List.of(
            Layer.properties(Key.PREFIX, "", sources.properties()),
            Layer.environment(Key.PREFIX, "", sources.environment()),
            Layer.file(Key.PREFIX, "", own, name),
            Layer.properties(ALIAS, Key.ENGINE, sources.properties()),
            Layer.environment(ALIAS, Key.ENGINE, sources.environment()),
            Layer.file(ALIAS, Key.ENGINE, alias, name))) {
      values.add(layer);
      problems.addAll(layer.problems());
    }
    Assembly assembly = new Assembly(values, problems);
    ServerConfig config = assembly.build();
    if (config == null || !problems.isEmpty()) {
      throw new ConfigProblems(problems);
    }
    return new LoadedConfig(
        config, List.copyOf(values.settings()), file, Foreign.notes(name, foreign));
  }

  /** The file in two parts: our own keys and those that carry nFlow's prefix. */
  private static Map<String, ConfigObject> parse(Path file, List<String> problems) {
    ConfigObject root;
    try {
      // HOCON whatever the file is called: plain JSON is HOCON, and remarks are welcome in it
      ConfigParseOptions options =
          ConfigParseOptions.defaults().setSyntax(ConfigSyntax.CONF).setAllowMissing(false);
      root = ConfigFactory.parseFile(file.toFile(), options).resolve().root();
    } catch (ConfigException e) {
      problems.add(
          "The file " + file.toAbsolutePath() + " cannot be read: " + e.getMessage() + ".");
      return Map.of();
    }
    Map<String, Object> unused = new HashMap<>();
    ConfigObject own = ConfigValueFactory.fromMap(unused);
    ConfigObject alias = own;
    for (String name : root.keySet()) {
      if (name.equals("nflow") && root.get(name) instanceof ConfigObject below) {
        for (String key : below.keySet()) {
          alias = alias.withValue(key, below.get(key));
        }
      } else if (name.startsWith(ALIAS)) {
        alias = alias.withValue(name.substring(ALIAS.length()), root.get(name));
      } else {
        own = own.withValue(name, root.get(name));
      }
    }
    return Map.of(Key.PREFIX, own, ALIAS, alias);
  }
}
