package io.millrace.server.config;

import io.millrace.redis.wire.Dialect;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The keys of {@link Keys} on the Redis of the flows. */
final class RedisKeys {

  static final Key<String> URI =
      secret(
          "redis.uri",
          Kind.anyText(),
          null,
          "has the Redis flows, as in redis://user:password@host:6379/0 or rediss:// for TLS;"
              + " without it there are none");
  static final Key<String> USER =
      key("redis.user", Kind.text(), null, "the user there, where the address names none");
  static final Key<String> PASSWORD =
      secret("redis.password", Kind.text(), null, "the password there, instead of in the address");
  static final Key<String> MASTER =
      key(
          "redis.sentinel.master",
          Kind.text(),
          null,
          "the name under which sentinels know the server; the host in the address is not used"
              + " then");
  static final Key<List<String>> SENTINELS =
      secret(
          "redis.sentinel.nodes",
          Kind.list(Kind.text()),
          "",
          "these sentinels, each as host:port or redis://:password@host:port");
  static final Key<Dialect> DIALECT =
      key(
          "redis.dialect",
          Kind.word(Map.of("0.0.8", Dialect.V0_0_8, "main", Dialect.MAIN)),
          "0.0.8",
          "the version of the npm package whose workers share the queues: 0.0.8 or main");
  static final Key<Duration> CONNECT =
      key("redis.connectTimeout", Kind.duration(), "2 s", "for each try to connect; 10 ms or more");
  static final Key<Duration> TIMEOUT =
      key("redis.timeout", Kind.duration(), "5 s", "how long a reply is waited for; 10 ms or more");

  static final List<Key<?>> ALL =
      List.of(URI, USER, PASSWORD, MASTER, SENTINELS, DIALECT, CONNECT, TIMEOUT);

  private RedisKeys() {}

  private static <T> Key<T> key(
      String path, Kind<T> kind, @Nullable String fallback, String meaning) {
    return new Key<>(path, kind, fallback, meaning, false);
  }

  private static <T> Key<T> secret(
      String path, Kind<T> kind, @Nullable String fallback, String meaning) {
    return new Key<>(path, kind, fallback, meaning, true);
  }
}
