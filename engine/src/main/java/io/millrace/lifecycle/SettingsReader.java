package io.millrace.lifecycle;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;

/**
 * A reader of {@link EngineSettings} from named texts. Every name may begin with {@code millrace.}
 * or, for users of nFlow, with {@code nflow.}; the former takes precedence if both are given. Names
 * with another prefix are ignored; unknown names with these prefixes are rejected.
 */
public final class SettingsReader {

  private static final String PREFIX = "millrace.";

  private interface Setter extends BiFunction<EngineSettings, String, EngineSettings> {}

  private static final Map<String, Setter> KEYS = new TreeMap<>();

  static {
    KEYS.put("autostart", (s, v) -> s.runsInstances(bool(v)));
    KEYS.put("executor.group", EngineSettings::executorGroup);
    KEYS.put("executor.name", (s, v) -> s.nodeName(v.isEmpty() ? null : v));
    KEYS.put("executor.thread.count", (s, v) -> s.concurrency(Integer.parseInt(v)));
    KEYS.put("dispatcher.executor.queue.size", (s, v) -> s.queueSize(Integer.parseInt(v)));
    KEYS.put("dispatcher.sleep.ms", (s, v) -> s.maxSleep(Duration.ofMillis(Long.parseLong(v))));
    KEYS.put("dispatcher.channel.patience.seconds", (s, v) -> s.channelPatience(seconds(v)));
    KEYS.put("executor.timeout.seconds", (s, v) -> s.lease(seconds(v), s.leasing().renewEvery()));
    KEYS.put("executor.keepalive.seconds", (s, v) -> s.lease(s.leasing().ttl(), seconds(v)));
    KEYS.put("executor.maxRecoveries", (s, v) -> s.maxRecoveries(Integer.parseInt(v)));
    KEYS.put("executor.startTimeout.seconds", (s, v) -> s.startTimeout(seconds(v)));
    KEYS.put("executor.stuckThreadThreshold.seconds", (s, v) -> s.stuckAfter(seconds(v)));
    KEYS.put("dispatcher.await.termination.seconds", (s, v) -> s.drainGrace(seconds(v)));
  }

  private SettingsReader() {}

  /**
   * Returns the defaults, changed by {@code properties}.
   *
   * @throws IllegalArgumentException for an unknown name or an invalid value; the message names
   *     both and the allowed values
   */
  public static EngineSettings read(Map<String, String> properties) {
    Map<String, String> ours = new TreeMap<>();
    properties.forEach((name, value) -> collect(ours, name, value));
    EngineSettings settings = leaseTimes(ours);
    for (Map.Entry<String, Setter> entry : KEYS.entrySet()) {
      String value = ours.get(entry.getKey());
      if (value != null) {
        settings = apply(settings, entry, value);
      }
    }
    return settings;
  }

  /**
   * Returns settings with both lease times, which depend on each other and are therefore set
   * together first.
   */
  private static EngineSettings leaseTimes(Map<String, String> ours) {
    EngineSettings defaults = EngineSettings.defaults();
    String ttl = ours.remove("executor.timeout.seconds");
    String renew = ours.remove("executor.keepalive.seconds");
    try {
      return defaults.lease(
          ttl == null ? defaults.leasing().ttl() : seconds(ttl),
          renew == null ? defaults.leasing().renewEvery() : seconds(renew));
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "Settings executor.timeout.seconds = "
              + ttl
              + ", executor.keepalive.seconds = "
              + renew
              + ": "
              + e.getMessage(),
          e);
    }
  }

  private static void collect(Map<String, String> ours, String name, String value) {
    for (String prefix : List.of(PREFIX, "nflow.")) {
      if (name.startsWith(prefix)) {
        String key = name.substring(prefix.length());
        if (!KEYS.containsKey(key)) {
          throw new IllegalArgumentException(
              "Setting '"
                  + name
                  + "' is unknown; expected one of "
                  + KEYS.keySet()
                  + " after '"
                  + prefix
                  + "'.");
        }
        if (prefix.equals(PREFIX)) {
          ours.put(key, value.strip());
        } else {
          ours.putIfAbsent(key, value.strip());
        }
      }
    }
  }

  private static EngineSettings apply(
      EngineSettings settings, Map.Entry<String, Setter> key, String value) {
    try {
      return key.getValue().apply(settings, value);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "Setting '" + key.getKey() + "' has the value '" + value + "': " + e.getMessage(), e);
    }
  }

  private static Duration seconds(String value) {
    return Duration.ofSeconds(Long.parseLong(value));
  }

  private static boolean bool(String value) {
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("expected true or false");
    };
  }
}
