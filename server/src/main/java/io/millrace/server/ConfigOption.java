package io.millrace.server;

import io.millrace.server.config.ConfigSources;
import io.millrace.server.config.LoadedConfig;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --config}, the same in every command that has it. */
public final class ConfigOption {

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "The configuration, HOCON or JSON; server-config.json of this folder unless set.")
  private @Nullable Path file;

  ConfigSources sources() {
    return ConfigSources.ofProcess(file);
  }

  public LoadedConfig read() {
    return LoadedConfig.read(sources());
  }
}
