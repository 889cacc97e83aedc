package io.millrace.server;

import io.millrace.Engine;
import io.millrace.server.config.LoadedConfig;
import io.millrace.server.plugin.Plugins;
import io.millrace.store.Store;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;

/**
 * What a running server consists of, for those who answer requests.
 *
 * @param store the engine's own
 * @param ready false until everything is open, and again from the first moment of a stop
 */
record Parts(
    LoadedConfig loaded,
    DataSource pool,
    Store store,
    Engine engine,
    Plugins plugins,
    BooleanSupplier ready) {}
