package io.millrace.server.config;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import io.millrace.instance.MillraceException;
import io.millrace.schedule.InvalidScheduleException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The valid values of one source, and its problems. */
final class ConfigLayer {

  private static final Logger LOG = LoggerFactory.getLogger(ConfigLayer.class);

  private static final Pattern INDEX = Pattern.compile("\\[\\d+]");
  private static final String KEYS_OF_SECRETS = "secrets.keys.";
  private static final int TYPO = 2;

  private final List<ConfigKey<?>> keys;

  /**
   * Prefix of names in this source, before the name of the key: {@code millrace.} or {@code nflow}.
   */
  private final String prefix;

  private final String place;
  private final Map<String, GivenValue> values = new LinkedHashMap<>();
  private final Set<String> mentioned = new TreeSet<>();
  private final List<String> groups = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();

  /**
   * @param prefix prefix of every key in this source
   * @param place prefix in the table of keys that stands for {@code prefix}
   */
  private ConfigLayer(String prefix, String place) {
    this.prefix = prefix;
    this.place = place;
    this.keys =
        ConfigKeys.all().stream().filter(configKey -> configKey.path().startsWith(place)).toList();
  }

  /**
   * Returns the properties whose names start with {@code prefix}; the rest of a name is looked up
   * below {@code place}.
   */
  static ConfigLayer properties(String prefix, String place, Map<String, String> properties) {
    ConfigLayer configLayer = new ConfigLayer(prefix, place);
    new TreeMap<>(properties)
        .forEach((name, value) -> {
          if (name.startsWith(prefix)) {
            String path = place + name.substring(prefix.length());
            configLayer.text(path, name, value, "system property " + name);
          }
        });
    return configLayer;
  }

  static ConfigLayer environment(String prefix, String place, Map<String, String> environment) {
    ConfigLayer configLayer = new ConfigLayer(prefix, place);
    String start = ConfigKey.variable(prefix, "");
    new TreeMap<>(environment)
        .forEach((name, value) -> {
          if (name.startsWith(start)) {
            configLayer.variable(name, value);
          }
        });
    return configLayer;
  }

  static ConfigLayer file(String prefix, String place, ConfigObject root, String file) {
    ConfigLayer configLayer = new ConfigLayer(prefix, place);
    root.forEach((name, value) ->
        configLayer.walk(place + name, value, v -> file + " line " + v.origin().lineNumber()));
    return configLayer;
  }

  Map<String, GivenValue> values() {
    return values;
  }

  /** Returns the known keys in this source, including those with an invalid value. */
  Set<String> mentioned() {
    return mentioned;
  }

  List<String> problems() {
    return problems;
  }

  /** Returns the lists that this source gives as a whole, including empty ones. */
  List<String> groups() {
    return groups;
  }

  private void text(String path, String name, String value, String origin) {
    if (value.indexOf('\uFFFD') >= 0) {
      problems.add(
          name
              + " ("
              + origin
              + "): has characters that cannot be told in this locale; expected UTF-8 and a locale"
              + " of UTF-8, as by LC_ALL=C.UTF-8.");
      return;
    }
    ConfigValue given = ConfigValueFactory.fromAnyRef(value);
    if (isGroup(path)) {
      try {
        list(path, ConfigFactory.parseString("value = " + value).getList("value"), v -> origin);
      } catch (ConfigException e) {
        problems.add(name + " (" + origin + "): expected a list as in the file: " + e.getMessage());
      }
    } else {
      value(path, name, given, origin);
    }
  }

  /**
   * Reads a variable. Only names that look like keys count, because Kubernetes also sets variables
   * such as MILLRACE_PORT.
   */
  private void variable(String name, String value) {
    String origin = "environment variable " + name;
    Optional<String> path = pathOf(name);
    if (KubernetesServiceLinks.isAddress(name, value)
        || (path.isEmpty() && KubernetesServiceLinks.isName(name))) {
      LOG.debug("{} is Kubernetes' word on a service, and no setting", name);
      return;
    }
    if (path.isPresent()) {
      text(path.get(), name, value, origin);
      return;
    }
    List<String> known = keys.stream().filter(ConfigKey::single).map(this::variableOf).toList();
    String nearest = NearestName.to(name, known);
    boolean inSection =
        sections().anyMatch(section -> name.startsWith(ConfigKey.variable(prefix, section) + "_"));
    if (inSection || NearestName.distance(name, nearest) <= TYPO) {
      problems.add(
          name + " (" + origin + "): unknown; the nearest known variable is " + nearest + ".");
    }
  }

  private Stream<String> sections() {
    return keys.stream()
        .map(configKey -> configKey.path().substring(place.length()))
        .map(path -> path.substring(0, Math.max(0, path.indexOf('.'))))
        .filter(section -> !section.isEmpty())
        .distinct();
  }

  private Optional<String> pathOf(String variable) {
    String idStart = ConfigKey.variable(prefix, KEYS_OF_SECRETS);
    if (place.isEmpty() && variable.startsWith(idStart) && variable.length() > idStart.length()) {
      return Optional.of(
          KEYS_OF_SECRETS + variable.substring(idStart.length()).toLowerCase(Locale.ROOT));
    }
    Stream<String> groupPaths =
        keys.stream()
            .filter(configKey -> configKey.path().contains("[]"))
            .map(configKey -> configKey.path().substring(0, configKey.path().indexOf('[')));
    Stream<String> singles = keys.stream().filter(ConfigKey::single).map(ConfigKey::path);
    return Stream.concat(singles, groupPaths)
        .filter(path -> variableOf(path).equals(variable))
        .findFirst();
  }

  private String variableOf(ConfigKey<?> configKey) {
    return variableOf(configKey.path());
  }

  private String variableOf(String path) {
    return ConfigKey.variable(prefix, path.substring(place.length()));
  }

  private void walk(String path, ConfigValue value, Function<ConfigValue, String> origins) {
    String origin = origins.apply(value);
    switch (value.valueType()) {
      case NULL -> {}
      case OBJECT -> {
        ConfigObject section = (ConfigObject) value;
        if (section.isEmpty() && !isSection(path)) {
          value(path, written(path), value, origin);
        }
        section.forEach((name, below) -> walk(path + "." + name, below, origins));
      }
      case LIST -> {
        if (isGroup(path)) {
          list(path, (ConfigList) value, origins);
        } else {
          value(path, written(path), value, origin);
        }
      }
      default -> value(path, written(path), value, origin);
    }
  }

  private void list(String path, ConfigList entries, Function<ConfigValue, String> origins) {
    groups.add(path);
    for (int i = 0; i < entries.size(); i++) {
      walk(path + "[" + i + "]", entries.get(i), origins);
    }
  }

  private void value(String path, String name, ConfigValue value, String origin) {
    Optional<ConfigKey<?>> key = keys.stream().filter(k -> k.matches(path)).findFirst();
    if (key.isEmpty()) {
      unknown(path, name, origin);
      return;
    }
    mentioned.add(path);
    GivenValue givenValue = new GivenValue(path, name, key.get(), value, origin);
    try {
      key.get().kind().read(value);
      values.put(path, givenValue);
    } catch (RuntimeException e) {
      problems.add(
          name
              + " = "
              + givenValue.shown()
              + " ("
              + origin
              + "): not allowed; expected "
              + key.get().kind().allowed()
              + "."
              + (e instanceof MillraceException || e instanceof InvalidScheduleException
                  ? " " + e.getMessage()
                  : ""));
    }
  }

  private void unknown(String path, String name, String origin) {
    if (isSection(path) || isGroup(path)) {
      List<String> below =
          keys.stream().map(ConfigKey::path).filter(p -> p.startsWith(normal(path))).toList();
      problems.add(
          name + " (" + origin + "): not a value of its own; expected its keys " + below + ".");
      return;
    }
    List<String> known = keys.stream().map(configKey -> written(configKey.path())).toList();
    String start = place.isEmpty() && name.startsWith(prefix) ? prefix : "";
    problems.add(
        name
            + " ("
            + origin
            + "): unknown; the nearest known key is "
            + start
            + NearestName.to(written(path), known)
            + ".");
  }

  /** Returns the key as it is written in the file, where aliases keep their prefix. */
  private String written(String path) {
    return place.isEmpty() ? path : prefix + path.substring(place.length());
  }

  private boolean isSection(String path) {
    return keys.stream().anyMatch(configKey -> configKey.path().startsWith(normal(path) + "."));
  }

  private boolean isGroup(String path) {
    return keys.stream().anyMatch(configKey -> configKey.path().startsWith(path + "[]."));
  }

  private static String normal(String path) {
    return INDEX.matcher(path).replaceAll("[]");
  }
}
