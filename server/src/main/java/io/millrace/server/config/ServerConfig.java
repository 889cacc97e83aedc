package io.millrace.server.config;

import io.millrace.lifecycle.EngineSettings;

/** What the server is told. Immutable. */
public record ServerConfig(
    Http http,
    Database database,
    Node node,
    Work work,
    Security security,
    Secrets secrets,
    Observe observe) {

  public EngineSettings engine() {
    return node.engine();
  }
}
