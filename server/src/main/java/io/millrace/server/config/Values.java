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

/** The values that count: of each key the one of the first source that has it. */
final class Values {

  private static final Pattern ENTRY = Pattern.compile("(.*)\\[(\\d+)]\\..*");

  private final Map<String, Given> given = new LinkedHashMap<>();
  private final Set<String> mentioned = new LinkedHashSet<>();
  private final Set<String> groups = new LinkedHashSet<>();

  /** Adds what no earlier source has; a list counts as a whole. */
  void add(Layer layer) {
    layer
        .values()
        .forEach((path, value) -> {
          Matcher entry = ENTRY.matcher(path);
          if (!entry.matches() || !groups.contains(entry.group(1))) {
            given.putIfAbsent(path, value);
          }
        });
    groups.addAll(layer.groups());
    mentioned.addAll(layer.mentioned());
  }

  /** The value or its default; null where there is neither. */
  <T> @Nullable T find(Key<T> key) {
    Given found = given.get(key.path());
    if (found != null) {
      return key.kind().read(found.value());
    }
    String fallback = key.fallback();
    return fallback == null ? null : key.kind().read(ConfigValueFactory.fromAnyRef(fallback));
  }

  /** The value or its default, for a key that has one. */
  <T> T get(Key<T> key) {
    return Objects.requireNonNull(find(key), key.path());
  }

  /** True if somebody wrote this key, even with a value that is not allowed. */
  boolean mentions(Key<?> key) {
    return mentioned.contains(key.path());
  }

  /** How many entries the list at {@code path} has. */
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

  /** The user's own names below {@code prefix}. */
  List<String> names(String prefix) {
    return given.keySet().stream()
        .filter(path -> path.startsWith(prefix))
        .map(path -> path.substring(prefix.length()))
        .toList();
  }

  /** Every key with its value and origin, in the order of the table. */
  List<Setting> settings() {
    List<Setting> settings = new ArrayList<>();
    for (Key<?> key : Keys.all()) {
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

  private static Setting setting(Key<?> key, @Nullable Given value) {
    if (value == null) {
      String fallback = key.fallback();
      return Setting.ofDefault(
          key.path(), key.secret() && fallback != null ? Masks.MASK : fallback, key.meaning());
    }
    return new Setting(value.path(), value.shown(), value.origin(), key.meaning());
  }
}
