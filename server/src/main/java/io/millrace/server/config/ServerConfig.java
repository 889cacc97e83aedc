package io.millrace.server.config;

import io.millrace.lifecycle.EngineSettings;

/** What the server is told. Immutable. */
public record ServerConfig(
    Http http,
    Database database,
    EngineSettings engine,
    Work work,
    Security security,
    Secrets secrets,
    Observe observe) {}
