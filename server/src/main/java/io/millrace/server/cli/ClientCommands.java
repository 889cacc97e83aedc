package io.millrace.server.cli;

import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;

/** The commands of this package. */
public final class ClientCommands {

  /** The commands in the order of the help. */
  static final List<ClientCommand> ALL =
      Stream.of(
              InstanceCommands.ALL,
              ExecutorCommands.ALL,
              SequenceCommands.ALL,
              TaskCommands.ALL,
              ContinuousCommands.ALL,
              DataCommands.ALL,
              FlowCommands.ALL,
              MaintenanceCommands.ALL)
          .flatMap(List::stream)
          .toList();

  private ClientCommands() {}

  /**
   * Adds the command that the first argument names, or all of them if it names none: to add all
   * takes longer than most commands. They read {@code @FILE} themselves, as in {@code --input
   * @order.json}.
   */
  public static void addTo(CommandLine program, String... arguments) {
    program.setExpandAtFiles(false);
    List<ClientCommand> named =
        ALL.stream().filter(c -> arguments.length > 0 && c.isNamed(arguments[0])).toList();
    (named.isEmpty() ? ALL : named).forEach(c -> program.addSubcommand(c.name(), c.spec()));
  }
}
