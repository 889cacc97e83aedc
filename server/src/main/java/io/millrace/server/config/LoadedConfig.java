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
 * The configuration, and the origin of each value.
 *
 * @param settings all keys, secrets masked
 * @param file the file that was read; null for none
 * @param notes notes for operators about the file, one sentence each
 */
public record LoadedConfig(
    ServerConfig config, List<ConfigSetting> settings, @Nullable Path file, List<String> notes) {

  private static final String ALIAS = "nflow.";

  /**
   * Reads the configuration. System properties {@code millrace.<key>} take precedence over
   * variables {@code MILLRACE_<KEY>}, which take precedence over the file. The names of nFlow
   * follow in the same order, and the defaults come last.
   *
   * @throws InvalidConfigException if a key is unknown or a value is not allowed; it lists all
   *     problems
   */
  public static LoadedConfig read(ConfigSources configSources) {
    List<String> problems = new ArrayList<>();
    Path file = configSources.file();
    Map<String, ConfigObject> parts = file == null ? Map.of() : parse(file, problems);
    String name = file == null ? "" : String.valueOf(file.getFileName());
    ConfigObject written = parts.getOrDefault(ConfigKey.PREFIX, ConfigFactory.empty().root());
    List<String> foreign = ForeignSections.names(written);
    ConfigObject own = ForeignSections.without(written, foreign);
    ConfigObject alias = parts.getOrDefault(ALIAS, ConfigFactory.empty().root());

    ConfigValues values = new ConfigValues();
    for (ConfigLayer configLayer :
        List.of(
            ConfigLayer.properties(ConfigKey.PREFIX, "", configSources.properties()),
            ConfigLayer.environment(ConfigKey.PREFIX, "", configSources.environment()),
            ConfigLayer.file(ConfigKey.PREFIX, "", own, name),
            ConfigLayer.properties(ALIAS, ConfigKey.ENGINE, configSources.properties()),
            ConfigLayer.environment(ALIAS, ConfigKey.ENGINE, configSources.environment()),
            ConfigLayer.file(ALIAS, ConfigKey.ENGINE, alias, name))) {
      values.add(configLayer);
      problems.addAll(configLayer.problems());
    }
    ConfigAssembler configAssembler = new ConfigAssembler(values, problems);
    ServerConfig config = configAssembler.build();
    if (config == null || !problems.isEmpty()) {
      throw new InvalidConfigException(problems);
    }
    return new LoadedConfig(
        config, List.copyOf(values.settings()), file, ForeignSections.notes(name, foreign));
  }

  /** Returns the file in two parts: the keys of Millrace, and those with the prefix of nFlow. */
  private static Map<String, ConfigObject> parse(Path file, List<String> problems) {
    ConfigObject root;
    try {
      // HOCON whatever the file is called: plain JSON is HOCON, and comments are allowed in it
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
    return Map.of(ConfigKey.PREFIX, own, ALIAS, alias);
  }
}
