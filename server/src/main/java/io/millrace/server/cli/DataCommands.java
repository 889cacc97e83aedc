package io.millrace.server.cli;

import static io.millrace.server.cli.AnswerPart.each;
import static io.millrace.server.cli.AnswerPart.line;
import static io.millrace.server.cli.AnswerPart.more;
import static io.millrace.server.cli.AnswerPart.table;
import static io.millrace.server.cli.ClientCommand.command;
import static io.millrace.server.cli.ClientCommand.group;
import static io.millrace.server.cli.CommandArgument.AFTER;
import static io.millrace.server.cli.CommandArgument.CURSOR;
import static io.millrace.server.cli.CommandArgument.LIMIT;
import static io.millrace.server.cli.CommandArgument.REASON;
import static io.millrace.server.cli.CommandArgument.file;
import static io.millrace.server.cli.CommandArgument.flag;
import static io.millrace.server.cli.CommandArgument.longNumber;
import static io.millrace.server.cli.CommandArgument.text;
import static io.millrace.server.cli.CommandArgument.textOrFile;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The commands about shared data: keys and values, the period ledger, and reduced records. */
final class DataCommands {

  private static final CommandArgument GROUP =
      text("GROUP", "", "See 'millrace key-values groups'.");
  private static final CommandArgument KEY = text("KEY", "", "The value's key.");
  private static final String VALUE_PATH = "/key-values/value?group={GROUP}&key={KEY}";
  private static final CommandArgument REDUCE_GROUP =
      text("GROUP", "group", "See 'millrace reduce groups'.");

  private static final AnswerPart NAMES = each("items", line("{.}"));

  static final List<ClientCommand> ALL =
      List.of(
          group(
              "key-values",
              "Texts by group and key, which workflows and others share.",
              command("groups", "Lists groups that have values.")
                  .with(LIMIT, AFTER)
                  .get("/key-values/groups")
                  .shows(NAMES, more("--after")),
              command("list", "Lists the values of a group, the last modified first.")
                  .with(
                      text("GROUP", "group", "See 'millrace key-values groups'."),
                      LIMIT,
                      text(
                              "--status STATUS",
                              "status",
                              "Unknown, InProgress, Warning, Error or Success; may be repeated.")
                          .repeated(),
                      CURSOR)
                  .get("/key-values")
                  .shows(
                      table(
                          "items",
                          "KEY {key} | VALUE {value} | STATUS {status} | VERSION {version}"
                              + " | MODIFIED {modified:time} | EXPIRES {expires:time}"),
                      more("--cursor")),
              command("get", "Prints a value; with --json its version and times as well.")
                  .with(GROUP, KEY)
                  .get(VALUE_PATH)
                  .shows(line("{value}")),
              command("set", "Writes a value, over the one that is there unless told not.")
                  .with(GROUP, KEY, textOrFile("VALUE", "value", "The text; @FILE reads a file."))
                  .atMostOneOf(
                      flag("--if-absent", "", "Only when there is none."),
                      longNumber(
                          "--if-version N", "", "Only while it has this version; see --json."))
                  .with(
                      text(
                          "--status STATUS",
                          "status",
                          "Unknown, InProgress, Warning, Error or Success; for people only."),
                      longNumber(
                          "--expires-after SECONDS",
                          "expiresAfterSeconds",
                          "Default: it stays for ever."))
                  .put(VALUE_PATH)
                  .header("If-None-Match", "--if-absent", "*")
                  .header("If-Match", "--if-version", "\"{--if-version}\"")
                  .says("Key '{KEY}' in group '{GROUP}' has version {version} now."),
              command("delete", "Deletes a value.")
                  .with(
                      GROUP,
                      KEY,
                      longNumber("--if-version N", "", "Only while it has this version."))
                  .delete(VALUE_PATH)
                  .header("If-Match", "--if-version", "\"{--if-version}\"")
                  .says("Key '{KEY}' in group '{GROUP}' is deleted.")),
          group(
              "ledger",
              "The period ledger: which periods were done, by which owner, and why others were not.",
              command("schedules", "Lists what has entries in the ledger.")
                  .with(LIMIT, AFTER)
                  .get("/ledger/schedules")
                  .shows(NAMES, more("--after")),
              command(
                      "list",
                      "Lists the periods of a schedule that were claimed or missed, the last first.")
                  .with(
                      text("SCHEDULE", "schedule", "See 'millrace ledger schedules'."),
                      LIMIT,
                      text("--from PERIOD", "from", "The first, as in 2026-11-01."),
                      text("--to PERIOD", "to", "The last."),
                      text(
                              "--state STATE",
                              "state",
                              "claimed, running, succeeded, failed, released or missed; may be"
                                  + " repeated.")
                          .repeated(),
                      CURSOR)
                  .get("/ledger")
                  .shows(
                      table(
                          "items",
                          "PERIOD {period} | STATE {state} | ATTEMPT {attempt} | HOLDER {holder}"
                              + " | INSTANCE {executionId} | ENDED {ended:time}",
                          "{reason?{reason}}"),
                      more("--cursor")),
              command("explain", "Tells what has become of one period, and why.")
                  .with(
                      text("SCHEDULE", "schedule", "See 'millrace ledger schedules'."),
                      text("PERIOD", "period", "Its key, as in 2026-11-22."))
                  .get("/ledger/period")
                  .shows(DataCommands::explain)),
          group(
              "reduce",
              "Groups of records of which only new and changed ones are passed on.",
              command("groups", "Lists groups of records by name.")
                  .with(LIMIT, AFTER)
                  .get("/reduce-groups")
                  .shows(
                      table(
                          ".",
                          "GROUP {name} | COMMITTED {committed} | PENDING {pending}"
                              + " | GENERATION {generation} | MODIFIED {modified:time}"),
                      DataCommands::moreGroups),
              command("why", "Tells why a record is passed over, or is not.")
                  .with(REDUCE_GROUP, text("KEY", "key", "The record's key, or its token."))
                  .get("/reduce-groups/record")
                  .shows(
                      line("{KEY} is {state}. {why}"),
                      (output, values) ->
                          table(
                                  ".",
                                  "COMMITTED {committed:time} | INSTANCE {executionId}"
                                      + " | RESERVED BY {reservedBy}"
                                      + " | RESERVED UNTIL {reservedUntil:time}"
                                      + " | GENERATION {generation}")
                              .print(
                                  output,
                                  values.of(
                                      ApiClient.JSON.createArrayNode().add(values.answer())))),
              command("reset", "Forgets all records, so that each counts as new.")
                  .with(REDUCE_GROUP, REASON)
                  .post("/reduce-groups/reset")
                  .says("{GROUP} is in generation {generation}: every record is new."),
              command("forget", "Forgets some records, so that they count as new.")
                  .with(
                      REDUCE_GROUP,
                      text("KEY", "keys", "Keys of records, or their tokens.").repeated(),
                      REASON)
                  .post("/reduce-groups/forget")
                  .says("{forgotten} of {KEY:size} are forgotten."),
              command("dry-run", "Tells what would be passed on of records. Nothing is written.")
                  .with(
                      REDUCE_GROUP,
                      text(
                          "--id PATH",
                          "key",
                          "Of a record's key, as in /id. Default: records are told apart by"
                              + " content."),
                      text("--ignore PATH", "ignore", "Does not count; repeatable.").repeated(),
                      text("--only PATH", "only", "Alone counts; repeatable.").repeated(),
                      file("document", "A JSON array of records; - for the standard input."))
                  .post("/reduce-groups/dry-run")
                  .shows(DataCommands::reduced, each("faults", line("{message}")))));

  private DataCommands() {}

  private static void explain(CommandOutput output, TemplateValues period) {
    String state = period.answer().path("state").asString("");
    String by = "{executionId? by instance {executionId}| by {holder}}";
    String free = "{leaseUntil?; others may claim it at {leaseUntil:time}}";
    String reason = "{reason?: {reason}}";
    String sentence =
        switch (state) {
          case "claimed" -> "is claimed since {claimed:time}" + by + free;
          case "running" -> "runs since {claimed:time}" + by + free;
          case "succeeded" -> "was done at {ended:time}" + by;
          case "failed" -> "has failed at {ended:time}" + by + ", in attempt {attempt}" + reason;
          case "released" ->
              "was released at {ended:time}" + by + reason + "; the next claim gets it";
          case "missed" -> "was missed" + reason;
          default -> "is {state}" + by + reason;
        };
    String end = period.answer().path("reason").asString("").endsWith(".") ? "" : ".";
    output.line(period.text("{SCHEDULE} in {PERIOD} " + sentence + end));
  }

  /** The answer has no cursor; a full page may have a successor. */
  private static void moreGroups(CommandOutput output, TemplateValues groups) {
    int count = groups.answer().size();
    if (count == groups.arguments().path("--limit").asInt(0)) {
      output.line(
          "There may be more: add --after "
              + CommandOutput.text(groups.answer().path(count - 1).path("name")));
    }
  }

  private static void reduced(CommandOutput output, TemplateValues seen) {
    List<List<String>> rows = new ArrayList<>();
    for (String kind : List.of("new", "changed", "unchanged", "reserved")) {
      JsonNode of = seen.answer().path(kind);
      JsonNode first = of.path("first").path(0);
      rows.add(
          List.of(
              kind,
              CommandOutput.text(of.path("count")),
              first.isMissingNode() ? "-" : first.toString()));
    }
    output.table(List.of("WOULD BE", "RECORDS", "THE FIRST"), rows);
  }
}
