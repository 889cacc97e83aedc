package io.millrace.redis;

import java.util.Collection;
import javax.sql.DataSource;

/**
 * Gives a server the Redis flows of a jar. The jar names its class, which needs a public
 * constructor without parameters, in {@code META-INF/services/io.millrace.redis.FlowProvider}.
 */
public interface FlowProvider {

  /**
   * The flows of this jar with the handlers that the server is to run. Called once, before the
   * server takes jobs; anything thrown leaves the jar out.
   *
   * @param database the server's own pool, for handlers that keep tables of theirs beside it; it is
   *     closed after the workers have stopped
   */
  Collection<ServedFlow> flows(DataSource database);
}
