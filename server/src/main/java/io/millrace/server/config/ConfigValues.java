package io.millrace.server.config;

import com.typesafe.config.ConfigValueFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The effective values: for each key, that of the first source that has it. */
final class ConfigValues {

  private static final Pattern ENTRY = Pattern.compile("(.*)\\[(\\d+)]\\..*");

  private final Map<String, GivenValue> given = new LinkedHashMap<>();
  private final Set<String> mentioned = new LinkedHashSet<>();
  private final Set<String> groups = new LinkedHashSet<>();

  /** Adds the values that no earlier source has; a list counts as a whole. */
  void add(ConfigLayer configLayer) {
    configLayer
        .values()
        .forEach((path, value) -> {
          Matcher entry = ENTRY.matcher(path);
          if (!entry.matches() || !groups.contains(entry.group(1))) {
            given.putIfAbsent(path, value);
          }
        });
    groups.addAll(configLayer.groups());
    mentioned.addAll(configLayer.mentioned());
  }

  /** Returns the value or its default; null if there is neither. */
  <T> @Nullable T find(ConfigKey<T> key) {
    GivenValue found = given.get(key.path());
    if (found != null) {
      return key.kind().read(found.value());
    }
    String fallback = key.fallback();
    return fallback == null ? null : key.kind().read(ConfigValueFactory.fromAnyRef(fallback));
  }

  /** Returns the value or its default, for a key that has one. */
  <T> T get(ConfigKey<T> key) {
    return Objects.requireNonNull(find(key), key.path());
  }

  /** True if this key is set, even to a value that is not allowed. */
  boolean mentions(ConfigKey<?> key) {
    return mentioned.contains(key.path());
  }

  /** Returns the number of entries of the list at {@code path}. */
  int size(String path) {
    int size = 0;
    for (String name : given.keySet()) {
      Matcher entry = ENTRY.matcher(name);
      if (entry.matches() && entry.group(1).equals(path)) {
        size = Math.max(size, Integer.parseInt(entry.group(2)) + 1);
      }
    }
    return size;
  }

  /** Returns the names below {@code prefix} that the user chose. */
  List<String> names(String prefix) {
    return given.keySet().stream()
        .filter(path -> path.startsWith(prefix))
        .map(path -> path.substring(prefix.length()))
        .toList();
  }

  /** Returns every key with its value and origin, in the order of the table. */
  List<ConfigSetting> settings() {
    List<ConfigSetting> settings = new ArrayList<>();
    for (ConfigKey<?> key : ConfigKeys.all()) {
      if (key.single()) {
        settings.add(setting(key, given.get(key.path())));
      } else {
        given.values().stream()
            .filter(value -> value.key().path().equals(key.path()))
            .forEach(value -> settings.add(setting(key, value)));
      }
    }
    return settings;
  }

  private static ConfigSetting setting(ConfigKey<?> key, @Nullable GivenValue value) {
    if (value == null) {
      String fallback = key.fallback();
      return ConfigSetting.ofDefault(
          key.path(),
          key.secret() && fallback != null ? PasswordMasking.MASK : fallback,
          key.meaning());
    }
    return new ConfigSetting(value.path(), value.shown(), value.origin(), key.meaning());
  }
}
