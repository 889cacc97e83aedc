package io.millrace.server.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys of {@link ConfigKeys} on the Redis of the flows. */
final class RedisConfigKeys {

  static final ConfigKey<String> URI =
      secret(
          "redis.uri",
          ConfigType.anyText(),
          null,
          "has the Redis flows, as in redis://user:password@host:6379/0 or rediss:// for TLS;"
              + " without it there are none");
  static final ConfigKey<String> USER =
      key("redis.user", ConfigType.text(), null, "the user there, where the address names none");
  static final ConfigKey<String> PASSWORD =
      secret(
          "redis.password",
          ConfigType.text(),
          null,
          "the password there, instead of in the address");
  static final ConfigKey<String> MASTER =
      key(
          "redis.sentinel.master",
          ConfigType.text(),
          null,
          "the name under which sentinels know the server; the host in the address is not used"
              + " then");
  static final ConfigKey<List<String>> SENTINELS =
      secret(
          "redis.sentinel.nodes",
          ConfigType.list(ConfigType.text()),
          "",
          "these sentinels, each as host:port or redis://:password@host:port");
  static final ConfigKey<Duration> CONNECT =
      key(
          "redis.connectTimeout",
          ConfigType.duration(),
          "2 s",
          "for each try to connect; 10 ms or more");
  static final ConfigKey<Duration> TIMEOUT =
      key(
          "redis.timeout",
          ConfigType.duration(),
          "5 s",
          "how long a reply is waited for; 10 ms or more");

  static final List<ConfigKey<?>> ALL =
      List.of(URI, USER, PASSWORD, MASTER, SENTINELS, CONNECT, TIMEOUT);

  private RedisConfigKeys() {}

  private static <T> ConfigKey<T> key(
      String path, ConfigType<T> configType, @Nullable String fallback, String meaning) {
    return new ConfigKey<>(path, configType, fallback, meaning, false);
  }

  private static <T> ConfigKey<T> secret(
      String path, ConfigType<T> configType, @Nullable String fallback, String meaning) {
    return new ConfigKey<>(path, configType, fallback, meaning, true);
  }
}
