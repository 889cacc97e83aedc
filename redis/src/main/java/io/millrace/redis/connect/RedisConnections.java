package io.millrace.redis.connect;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.lifecycle.EngineRuntime;

/** Opens connections to a server. */
public final class RedisConnections {

  private RedisConnections() {}

  /**
   * Opens a client of the server that the settings name. It connects at the first use, and again
   * whenever the connection was lost. The calls throw when something is wrong with the server or
   * the login.
   *
   * @param runtime source of the random delays between attempts to connect
   */
  public static Redis open(RedisSettings settings, EngineRuntime runtime) {
    requirePresent(settings, "The settings of Redis");
    return new PipelinedRedis(settings, requirePresent(runtime, "The runtime").random());
  }
}
