package io.millrace.server;

import io.millrace.server.config.ConfigSources;
import io.millrace.server.config.LoadedConfig;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Configurations for tests: an H2 database in memory, a free port, and the settings of the test.
 */
final class TestConfigs {

  private TestConfigs() {}

  static LoadedConfig of(String... keysAndValues) {
    Map<String, String> properties = new TreeMap<>();
    properties.put("millrace.database.url", "jdbc:h2:mem:" + UUID.randomUUID());
    properties.put("millrace.http.port", "0");
    properties.put("millrace.home", "target");
    properties.put("millrace.engine.executor.timeout.seconds", String.valueOf(LongLease.TIME));
    for (int i = 0; i < keysAndValues.length; i += 2) {
      properties.put("millrace." + keysAndValues[i], keysAndValues[i + 1]);
    }
    return LoadedConfig.read(new ConfigSources(properties, Map.of(), null));
  }
}
