package io.millrace.server.config;

import io.millrace.instance.InvalidRequestException;
import io.millrace.redis.connect.RedisSettings;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An assembler of the {@link RedisSettings} of the flows. */
final class RedisConfigAssembler {

  private final ConfigValues values;
  private final List<String> problems;

  RedisConfigAssembler(ConfigValues values, List<String> problems) {
    this.values = values;
    this.problems = problems;
  }

  /**
   * Returns the configuration; null if there is none, or if it is invalid, in which case the
   * problems say why.
   */
  @Nullable RedisSettings build() {
    String uri = values.find(RedisConfigKeys.URI);
    if (uri == null || uri.isBlank()) {
      return null;
    }
    try {
      RedisSettings settings =
          RedisSettings.of(withLogin(uri.strip()))
              .connectTimeout(values.get(RedisConfigKeys.CONNECT))
              .timeout(values.get(RedisConfigKeys.TIMEOUT));
      return withSentinels(settings);
    } catch (InvalidRequestException e) {
      problems.add(RedisConfigKeys.URI.path() + " and the keys beside it: " + e.getMessage());
      return null;
    }
  }

  private RedisSettings withSentinels(RedisSettings settings) {
    String master = values.find(RedisConfigKeys.MASTER);
    List<String> nodes = values.get(RedisConfigKeys.SENTINELS);
    if (master == null && nodes.isEmpty()) {
      return settings;
    }
    if (master == null) {
      throw new InvalidRequestException(
          RedisConfigKeys.SENTINELS.path()
              + " is set, but not "
              + RedisConfigKeys.MASTER.path()
              + ".");
    }
    return settings.sentinel(master, nodes.toArray(String[]::new));
  }

  /** Returns the address with the separately configured user and password. */
  private String withLogin(String uri) {
    String user = values.find(RedisConfigKeys.USER);
    String password = values.find(RedisConfigKeys.PASSWORD);
    if (user == null && password == null) {
      return uri;
    }
    int host = uri.indexOf("://") + 3;
    if (password == null) {
      throw new InvalidRequestException(
          RedisConfigKeys.USER.path()
              + " is set, but not "
              + RedisConfigKeys.PASSWORD.path()
              + ".");
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
