package io.millrace.server.config;

import io.millrace.instance.InvalidRequestException;
import io.millrace.redis.connect.RedisSettings;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes {@link Work.Redis} of the values. */
final class RedisAssembly {

  private final Values values;
  private final List<String> problems;

  RedisAssembly(Values values, List<String> problems) {
    this.values = values;
    this.problems = problems;
  }

  /** Null if there is none, or if what is said of it cannot be used, which is told then. */
  Work.@Nullable Redis build() {
    String uri = values.find(RedisKeys.URI);
    if (uri == null || uri.isBlank()) {
      return null;
    }
    try {
      RedisSettings settings =
          RedisSettings.of(withLogin(uri.strip()))
              .connectTimeout(values.get(RedisKeys.CONNECT))
              .timeout(values.get(RedisKeys.TIMEOUT));
      return new Work.Redis(withSentinels(settings), values.get(RedisKeys.DIALECT));
    } catch (InvalidRequestException e) {
      problems.add(RedisKeys.URI.path() + " and the keys beside it: " + e.getMessage());
      return null;
    }
  }

  private RedisSettings withSentinels(RedisSettings settings) {
    String master = values.find(RedisKeys.MASTER);
    List<String> nodes = values.get(RedisKeys.SENTINELS);
    if (master == null && nodes.isEmpty()) {
      return settings;
    }
    if (master == null) {
      throw new InvalidRequestException(
          RedisKeys.SENTINELS.path() + " is set, but not " + RedisKeys.MASTER.path() + ".");
    }
    return settings.sentinel(master, nodes.toArray(String[]::new));
  }

  /** The address with the user and the password that stand beside it. */
  private String withLogin(String uri) {
    String user = values.find(RedisKeys.USER);
    String password = values.find(RedisKeys.PASSWORD);
    if (user == null && password == null) {
      return uri;
    }
    int host = uri.indexOf("://") + 3;
    if (password == null) {
      throw new InvalidRequestException(
          RedisKeys.USER.path() + " is set, but not " + RedisKeys.PASSWORD.path() + ".");
    }
    if (host < 3 || uri.indexOf('@') >= 0) {
      throw new InvalidRequestException(
          "The address has a user or password of its own, or no host; give the login in one place.");
    }
    String login = (user == null ? "" : encoded(user)) + ":" + encoded(password) + "@";
    return uri.substring(0, host) + login + uri.substring(host);
  }

  private static String encoded(String part) {
    return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
