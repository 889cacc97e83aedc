package io.millrace.server;

import io.millrace.server.config.LoadedConfig;
import io.millrace.server.config.Sources;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --config}, the same in every command that has it. */
final class ConfigOption {

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "The configuration, HOCON or JSON; server-config.json of this folder unless set.")
  private @Nullable Path file;

  Sources sources() {
    return Sources.ofProcess(file);
  }

  LoadedConfig read() {
    return LoadedConfig.read(sources());
  }
}
