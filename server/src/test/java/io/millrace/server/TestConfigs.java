package io.millrace.server;

import io.millrace.server.config.ConfigSources;
import io.millrace.server.config.DatabaseConfig;
import io.millrace.server.config.LoadedConfig;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Configurations for tests: an H2 database in memory, a free port, and the settings of the test.
 */
final class TestConfigs {

  private TestConfigs() {}

  /** With tables and an admin in the database, if the test does not name another. */
  static LoadedConfig of(String... keysAndValues) {
    String own = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    LoadedConfig loaded = with(own, keysAndValues);
    DatabaseConfig database = loaded.config().database();
    if (database.url().equals(own)) {
      TestTables.make(own, database.user(), database.password());
      TestTables.addAdmin(own, database.user(), database.password());
    }
    return loaded;
  }

  /** With an empty database, as a server finds it at its very first start. */
  static LoadedConfig ofFirstStart(String... keysAndValues) {
    return with("jdbc:h2:mem:" + UUID.randomUUID(), keysAndValues);
  }

  private static LoadedConfig with(String url, String... keysAndValues) {
    Map<String, String> properties = new TreeMap<>();
    properties.put("millrace.database.url", url);
    properties.put("millrace.http.port", "0");
    properties.put("millrace.home", "target");
    properties.put("millrace.engine.executor.timeout.seconds", String.valueOf(LongLease.TIME));
    for (int i = 0; i < keysAndValues.length; i += 2) {
      properties.put("millrace." + keysAndValues[i], keysAndValues[i + 1]);
    }
    return LoadedConfig.read(new ConfigSources(properties, Map.of(), null));
  }
}
