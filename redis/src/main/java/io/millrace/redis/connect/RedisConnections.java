package io.millrace.redis.connect;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.lifecycle.EngineRuntime;

/** Opens connections to a server. */
public final class RedisConnections {

  private RedisConnections() {}

  /**
   * The server that the settings name. Connects at the first use, and again whenever the connection
   * was lost; what is wrong with the server or the login is thrown by the calls.
   *
   * @param runtime chance for the rests between tries to connect
   */
  public static Redis open(RedisSettings settings, EngineRuntime runtime) {
    requirePresent(settings, "The settings of Redis");
    return new PipelinedRedis(settings, requirePresent(runtime, "The runtime").random());
  }
}
