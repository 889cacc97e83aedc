package io.millrace.server.config;

import io.millrace.lifecycle.EngineSettings;

/** The configuration of the server. Immutable. */
public record ServerConfig(
    HttpConfig http,
    DatabaseConfig database,
    NodeConfig node,
    WorkConfig work,
    SecurityConfig security,
    SecretsConfig secrets,
    ObservabilityConfig observe) {

  public EngineSettings engine() {
    return node.engine();
  }
}
