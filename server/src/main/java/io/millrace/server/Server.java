package io.millrace.server;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.server.config.Exposure;
import io.millrace.server.config.LoadedConfig;
import io.millrace.server.config.ServerConfig;
import io.millrace.server.plugin.Plugins;
import io.millrace.store.sql.SqlStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running server: pool, workflows, engine and what answers requests. Close it to stop in good
 * order: it is no longer ready, the engine drains, and answers are given until that has ended.
 */
final class Server implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Server.class);

  private final ServerConfig config;
  private final HikariDataSource pool;
  private volatile boolean ready;
  private @Nullable Plugins plugins;
  private @Nullable Engine engine;
  private @Nullable Web web;

  private Server(ServerConfig config, HikariDataSource pool) {
    this.config = config;
    this.pool = pool;
  }

  /**
   * Starts everything.
   *
   * @throws io.millrace.instance.MillraceException when something cannot be opened; nothing is left
   *     open then
   */
  static Server start(LoadedConfig loaded, Web.Opener opener) {
    ServerConfig config = loaded.config();
    Server server = new Server(config, Pool.open(config.database()));
    try {
      server.open(loaded, opener);
      return server;
    } catch (RuntimeException | Error e) {
      server.close();
      throw e;
    }
  }

  private void open(LoadedConfig loaded, Web.Opener opener) {
    Plugins found = Plugins.load(config.workflows(), pool);
    plugins = found;
    Exposure.check(config, () -> false);
    SqlStore store =
        SqlStore.open(pool, new SqlStore.Options(config.database().migrate(), null, true));
    Engine running = engine(store, found);
    engine = running;
    web = opener.open(new Parts(loaded, pool, store, running, found, () -> ready));
    ready = true;
  }

  /** An engine closes its store, but one that could not start has not yet. */
  private Engine engine(SqlStore store, Plugins found) {
    try {
      return Engine.builder()
          .store(store)
          .workflows(found.workflows())
          .settings(config.engine())
          .start();
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  boolean isReady() {
    return ready;
  }

  Engine engine() {
    return opened(engine);
  }

  Plugins plugins() {
    return opened(plugins);
  }

  Web web() {
    return opened(web);
  }

  private static <T> T opened(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("The server is not open");
    }
    return part;
  }

  /** Stops within the drain grace; the pool is the last to go. */
  @Override
  public void close() {
    ready = false;
    close("engine", engine);
    close("web", web);
    close("workflows", plugins);
    close("pool", pool);
  }

  /** Whatever fails, the rest is closed too. */
  private static void close(String name, @Nullable AutoCloseable part) {
    if (part == null) {
      return;
    }
    try {
      part.close();
    } catch (Exception e) {
      LOG.warn("The {} did not stop in good order", name, e);
    }
  }
}
