package io.millrace.server.cli;

import static io.millrace.server.cli.CommandOutput.text;
import static io.millrace.server.cli.CommandOutput.time;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code millrace maintenance}. */
@Command(
    name = "maintenance",
    description = "Planned maintenance, and its subscribers.",
    subcommands = {
      MaintenanceCommand.ListAll.class,
      MaintenanceCommand.Plan.class,
      MaintenanceCommand.Advance.class,
      SubscriptionCommands.ListAll.class,
      SubscriptionCommands.Add.class,
      SubscriptionCommands.Remove.class
    })
final class MaintenanceCommand {

  private MaintenanceCommand() {}

  @Command(name = "list", description = "Lists the newest maintenances.")
  static final class ListAll extends ApiCommand {

    @Override
    int run(ApiClient api, CommandOutput output) {
      JsonNode all = api.get("/maintenances");
      if (output.json()) {
        output.json(all);
        return ExitCodes.OK;
      }
      List<List<String>> rows = new ArrayList<>();
      for (JsonNode one : all) {
        JsonNode plan = one.path("plan");
        rows.add(
            List.of(
                text(one, "id"),
                text(one, "stage"),
                time(plan, "from"),
                time(plan, "until"),
                text(plan, "title")));
      }
      output.table(List.of("ID", "STAGE", "FROM", "UNTIL", "TITLE"), rows);
      return ExitCodes.OK;
    }
  }

  @Command(
      name = "plan",
      description = "Plans a maintenance, or changes the plan of one; subscribers are told.")
  static final class Plan extends ApiCommand {

    @Parameters(paramLabel = "TITLE", description = "One line that says what is done.")
    String title = "";

    @Option(names = "--from", paramLabel = "TIME", required = true, description = "When it begins.")
    String from = "";

    @Option(
        names = "--until",
        paramLabel = "TIME",
        required = true,
        description = "When it is over.")
    String until = "";

    @Option(names = "--text", paramLabel = "TEXT", description = "More than the title says.")
    @Nullable String more;

    @Option(
        names = "--affected",
        paramLabel = "NAME",
        description = "What it is about; may be repeated. Default: everything.")
    List<String> affected = List.of();

    @Option(
        names = "--impact",
        paramLabel = "IMPACT",
        description = "What users notice: none, delays or outage. Default: none.")
    @Nullable String impact;

    @Option(
        names = "--by-hand",
        description = "Begins and ends by 'millrace maintenance advance', and not at these times.")
    boolean byHand;

    @Option(
        names = "--change",
        paramLabel = "ID",
        description = "Replaces the plan of this maintenance.")
    @Nullable Long change;

    @Override
    int run(ApiClient api, CommandOutput output) {
      if (change != null) {
        api.put("/maintenances/" + change, body());
        output.printConfirmation("Maintenance " + change + " has a new plan.");
        return ExitCodes.OK;
      }
      JsonNode planned = api.post("/maintenances", body());
      if (output.json()) {
        output.json(planned);
      } else {
        output.line("Maintenance " + text(planned, "id") + " is planned.");
      }
      return ExitCodes.OK;
    }

    private ObjectNode body() {
      ObjectNode body = ApiClient.JSON.createObjectNode();
      body.put("title", title).put("from", from).put("until", until).put("automatic", !byHand);
      if (more != null) {
        body.put("text", more);
      }
      if (impact != null) {
        body.put("impact", impact);
      }
      affected.forEach(body.putArray("affected")::add);
      return body;
    }
  }

  @Command(name = "advance", description = "Brings a maintenance to another stage.")
  static final class Advance extends ApiCommand {

    @Parameters(index = "0", paramLabel = "ID", description = "See 'millrace maintenance list'.")
    long id;

    @Parameters(
        index = "1",
        paramLabel = "STAGE",
        description = "inProgress, verifying, completed or cancelled.")
    String stage = "";

    @Option(names = "--reason", paramLabel = "TEXT", description = "Written into the audit.")
    @Nullable String reason;

    @Override
    int run(ApiClient api, CommandOutput output) {
      ObjectNode body = ApiClient.JSON.createObjectNode().put("to", stage);
      if (reason != null) {
        body.put("reason", reason);
      }
      api.post("/maintenances/" + id + "/advance", body);
      output.printConfirmation("Maintenance " + id + " will be " + stage + ".");
      return ExitCodes.OK;
    }
  }
}
