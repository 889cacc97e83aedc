package io.millrace.server;

import io.millrace.server.config.ConfigSetting;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code millrace config}. */
@Command(
    name = "config",
    description = "Shows the configuration.",
    subcommands = ConfigCommand.Show.class)
final class ConfigCommand {

  /** {@code millrace config show}. */
  @Command(
      name = "show",
      description = "Shows every key with its value, secrets masked, and where it was set.")
  static final class Show implements Callable<Integer> {

    @Mixin private ConfigOption option = new ConfigOption();

    @Option(names = "--json", description = "Writes JSON.")
    private boolean json;

    @Option(names = "--set", description = "Leaves out what is a default.")
    private boolean onlySet;

    @Spec private CommandSpec spec;

    @SuppressWarnings("NullAway.Init") // picocli sets the specification
    Show() {}

    @Override
    public Integer call() {
      List<ConfigSetting> settings =
          option.read().settings().stream().filter(one -> !onlySet || one.given()).toList();
      PrintWriter out = spec.commandLine().getOut();
      out.print(json ? JsonOutput.of(settings) : text(settings));
      out.flush();
      return Main.OK;
    }

    private static String text(List<ConfigSetting> settings) {
      int keys = width(settings.stream().map(ConfigSetting::key).toList());
      int values = width(settings.stream().map(Show::value).toList());
      StringBuilder text = new StringBuilder();
      for (ConfigSetting one : settings) {
        text.append(
            ("%-" + keys + "s  %-" + values + "s  %s%n")
                .formatted(one.key(), value(one), one.origin()));
      }
      return text.toString();
    }

    private static String value(ConfigSetting configSetting) {
      String value = configSetting.value();
      return value == null ? "-" : value;
    }

    /**
     * Returns the width of a column, limited so that one long value does not push the others away.
     */
    private static int width(List<String> texts) {
      return texts.stream().mapToInt(String::length).map(n -> Math.min(n, 44)).max().orElse(1);
    }
  }
}
