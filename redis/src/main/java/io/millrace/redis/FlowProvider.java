package io.millrace.redis;

import java.util.Collection;
import javax.sql.DataSource;

/**
 * A provider of the Redis flows of a jar. The jar names the implementing class, which needs a
 * public constructor without parameters, in {@code
 * META-INF/services/io.millrace.redis.FlowProvider}.
 */
public interface FlowProvider {

  /**
   * Returns the flows of this jar with the handlers that the server runs. The server calls it once,
   * before it starts workers. If it throws, the server skips the jar.
   *
   * @param database the server's own pool, for handlers with tables of their own in it; it is
   *     closed after the workers have stopped
   */
  Collection<ServedFlow> flows(DataSource database);
}
