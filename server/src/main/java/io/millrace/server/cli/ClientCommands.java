package io.millrace.server.cli;

import java.util.List;
import picocli.CommandLine;

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

  /** Adds all commands. They read {@code @FILE} themselves, as in {@code --input @order.json}. */
  public static void addTo(CommandLine program) {
    program.setExpandAtFiles(false);
    ALL.forEach(program::addSubcommand);
  }
}
