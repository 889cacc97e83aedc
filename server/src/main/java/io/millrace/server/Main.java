package io.millrace.server;

import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.MillraceException;
import io.millrace.server.cli.ClientCommands;
import io.millrace.server.security.RejectedRequestException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.ServiceLoader;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/** The program {@code millrace}. */
@Command(
    name = "millrace",
    description = "Durable workflows in a SQL database.",
    versionProvider = MillraceVersion.class,
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:success",
      "1:failure",
      "2:invalid usage",
      "3:not found",
      "4:permission denied",
      "5:the server does not answer"
    })
public final class Main {

  public static final int OK = ExitCode.OK;
  public static final int FAILED = ExitCode.SOFTWARE;

  /** The commands that work on this machine; those of {@link ClientCommands} call a server. */
  private static final List<Class<?>> COMMANDS =
      List.of(
          ServerCommand.class,
          DoctorCommand.class,
          ConfigCommand.class,
          SchemaCommand.class,
          GenerateCompletion.class,
          HelpCommand.class);

  /** The property with the log configuration; it must be set before the first logger is created. */
  private static final String LOG_CONFIGURATION = "logback.configurationFile";

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Shows where an error comes from.")
  private boolean debug;

  private Main() {}

  /** Runs the program and ends the JVM with its exit code. */
  public static void main(String[] arguments) {
    if (System.getProperty(LOG_CONFIGURATION) == null) {
      System.setProperty(LOG_CONFIGURATION, "io/millrace/server/logback.xml");
    }
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    System.exit(runTyped(out, err, arguments));
  }

  private static int runTyped(PrintWriter out, PrintWriter err, String... arguments) {
    String[] typed;
    try {
      typed = ArgumentFile.expanded(TypedArguments.of(arguments));
    } catch (InvalidRequestException e) {
      err.println("error: " + e.getMessage());
      return ExitCode.USAGE;
    }
    return run(out, err, typed);
  }

  /** Runs the program and returns its exit code. */
  public static int run(PrintWriter out, PrintWriter err, String... arguments) {
    Main main = new Main();
    CommandLine line = new CommandLine(main);
    COMMANDS.forEach(line::addSubcommand);
    ServiceLoader.load(CommandProvider.class)
        .forEach(provider -> line.addSubcommand(provider.commandClass()));
    ClientCommands.addTo(line, arguments);
    return line.setOut(out)
        .setErr(err)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler((e, given) -> misused(err, e))
        .setExecutionExceptionHandler((e, command, result) -> failed(err, e, main.debug))
        .execute(arguments);
  }

  private static int misused(PrintWriter err, ParameterException e) {
    CommandLine command = e.getCommandLine();
    err.println("error: " + e.getMessage());
    if (e instanceof UnmatchedArgumentException unmatched) {
      CommandSuggestion.of(unmatched)
          .ifPresent(name -> err.println("Did you mean '" + name + "'?"));
    }
    err.println("See " + command.getCommandSpec().qualifiedName() + " --help.");
    return ExitCode.USAGE;
  }

  private static int failed(PrintWriter err, Exception e, boolean debug) {
    boolean ours = e instanceof MillraceException || e instanceof RejectedRequestException;
    err.println("error: " + (ours ? e.getMessage() : e + " (with --debug: where)"));
    if (debug) {
      e.printStackTrace(err);
    }
    return FAILED;
  }
}
