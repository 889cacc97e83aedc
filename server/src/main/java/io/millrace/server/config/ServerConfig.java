package io.millrace.server.config;

import io.millrace.lifecycle.EngineSettings;
import java.nio.file.Path;

/**
 * What the server is told. Immutable.
 *
 * @param workflows the folder of the jars with workflows
 */
public record ServerConfig(
    Http http,
    Database database,
    EngineSettings engine,
    Path workflows,
    Security security,
    Secrets secrets,
    Observe observe) {}
