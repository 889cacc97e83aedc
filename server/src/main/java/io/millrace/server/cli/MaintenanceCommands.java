package io.millrace.server.cli;

import static io.millrace.server.cli.AnswerPart.more;
import static io.millrace.server.cli.AnswerPart.table;
import static io.millrace.server.cli.ClientCommand.command;
import static io.millrace.server.cli.ClientCommand.group;
import static io.millrace.server.cli.CommandArgument.CURSOR;
import static io.millrace.server.cli.CommandArgument.LIMIT;
import static io.millrace.server.cli.CommandArgument.REASON;
import static io.millrace.server.cli.CommandArgument.flag;
import static io.millrace.server.cli.CommandArgument.longNumber;
import static io.millrace.server.cli.CommandArgument.text;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The commands about planned maintenance. */
final class MaintenanceCommands {

  static final List<ClientCommand> ALL =
      List.of(
          group(
              "maintenance",
              "Planned maintenance, and its subscribers.",
              command("list", "Lists the newest maintenances.")
                  .get("/maintenances")
                  .shows(
                      table(
                          ".",
                          "ID {id} | STAGE {stage} | FROM {plan.from:time} | UNTIL {plan.until:time}"
                              + " | TITLE {plan.title}")),
              command(
                      "plan",
                      "Plans a maintenance, or changes the plan of one; subscribers are told.")
                  .with(
                      text("TITLE", "title", "One line that says what is done."),
                      text("--from TIME", "from", "When it begins.").required(true),
                      text("--until TIME", "until", "When it is over.").required(true),
                      text("--text TEXT", "text", "More than the title says."),
                      text(
                              "--affected NAME",
                              "affected",
                              "What it is about; may be repeated. Default: everything.")
                          .repeated(),
                      text(
                          "--impact IMPACT",
                          "impact",
                          "What users notice: none, delays or outage. Default: none."),
                      flag(
                          "--by-hand",
                          "",
                          "Begins and ends by 'millrace maintenance advance', and not at these"
                              + " times."),
                      longNumber("--change ID", "", "Replaces the plan of this maintenance."))
                  .runs(MaintenanceCommands::plan),
              command("advance", "Brings a maintenance to another stage.")
                  .with(
                      longNumber("ID", "", "See 'millrace maintenance list'."),
                      text("STAGE", "to", "inProgress, verifying, completed or cancelled."),
                      REASON)
                  .post("/maintenances/{ID}/advance")
                  .says("Maintenance {ID} will be {STAGE}."),
              command("subscribers", "Lists the subscribers to maintenance notices.")
                  .with(LIMIT, CURSOR)
                  .get("/subscriptions")
                  .shows(
                      table(
                          "items",
                          "ID {id} | ADDRESS {mail?{mail}|{webhook}} | ADDED BY {by}"
                              + " | CREATED {created:time}"),
                      more("--cursor")),
              command("subscribe", "Has a mail address or a webhook told, without asking it first.")
                  .oneOf(
                      text("--mail ADDRESS", "mail", "A mail address."),
                      text("--webhook URL", "webhook", "Where to post it."))
                  .with(
                      text(
                              "--affected NAME",
                              "affected",
                              "Only of what is about this; may be repeated.")
                          .repeated())
                  .post("/subscriptions")
                  .says("Subscription {id}."),
              command("unsubscribe", "Ends a subscription.")
                  .with(longNumber("ID", "", "See 'millrace maintenance subscribers'."))
                  .delete("/subscriptions/{ID}")
                  .says("Subscription {ID} ends.")));

  private MaintenanceCommands() {}

  private static int plan(CommandCall call) {
    ObjectNode body = call.fields().put("automatic", !call.has("--by-hand"));
    return call.has("--change")
        ? call.say(
            "Maintenance {--change} has a new plan.", call.put("/maintenances/{--change}", body))
        : call.say("Maintenance {id} is planned.", call.post("/maintenances", body));
  }
}
