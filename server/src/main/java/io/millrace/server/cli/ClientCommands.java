package io.millrace.server.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands of this package. */
public final class ClientCommands {

  /** The commands in the order of the help. */
  static final List<Class<?>> ALL =
      List.of(
          ListCommand.class,
          ShowCommand.class,
          WatchCommand.class,
          StartCommand.class,
          SignalCommand.class,
          RetryCommand.class,
          CancelCommand.class,
          PauseCommand.class,
          ResumeCommand.class,
          WakeCommand.class,
          MoveCommand.class,
          VariablesCommand.class,
          BulkCommand.class,
          FailuresCommand.class,
          DefinitionsCommand.class,
          ExecutorsCommand.class,
          DrainCommand.class,
          CordonCommand.class,
          CordonCommand.Uncordon.class,
          RolloutCommand.class,
          RecycleCommand.class,
          AuditCommand.class,
          SequencesCommand.class,
          TasksCommand.class,
          ChannelsCommand.class,
          ReportsCommand.class,
          ContinuousCommand.class,
          KeyValuesCommand.class,
          PeriodLedgerCommand.class,
          ReduceCommand.class,
          FlowsCommand.class,
          QueuesCommand.class,
          JobsCommand.class,
          MaintenanceCommand.class);

  private ClientCommands() {}

  /**
   * Adds the command that the first argument names, or all of them if it names none: to add all
   * takes longer than most commands. They read {@code @FILE} themselves, as in {@code --input
   * @order.json}.
   */
  public static void addTo(CommandLine program, String... arguments) {
    program.setExpandAtFiles(false);
    List<Class<?>> named =
        ALL.stream().filter(command -> arguments.length > 0 && is(command, arguments[0])).toList();
    (named.isEmpty() ? ALL : named).forEach(program::addSubcommand);
  }

  private static boolean is(Class<?> command, String name) {
    Command annotation = command.getAnnotation(Command.class);
    return annotation.name().equals(name) || List.of(annotation.aliases()).contains(name);
  }
}
