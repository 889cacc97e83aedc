package io.millrace.server.cli;

import static io.millrace.server.cli.AnswerPart.more;
import static io.millrace.server.cli.AnswerPart.table;
import static io.millrace.server.cli.ClientCommand.command;
import static io.millrace.server.cli.ClientCommand.group;
import static io.millrace.server.cli.CommandArgument.CURSOR;
import static io.millrace.server.cli.CommandArgument.LIMIT;
import static io.millrace.server.cli.CommandArgument.REASON;
import static io.millrace.server.cli.CommandArgument.json;
import static io.millrace.server.cli.CommandArgument.limit;
import static io.millrace.server.cli.CommandArgument.members;
import static io.millrace.server.cli.CommandArgument.number;
import static io.millrace.server.cli.CommandArgument.text;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The commands about Redis flows, their queues and their jobs. */
final class FlowCommands {

  private static final CommandArgument FLOW = text("FLOW", "", "See 'millrace flows'.");
  private static final CommandArgument QUEUE = text("QUEUE", "", "Of a child: PARENT:CHILD.");
  private static final CommandArgument FLOW_OF_JOB =
      text("FLOW", "", "See 'millrace flows'; of a child its queue, PARENT:CHILD.");
  private static final CommandArgument JOB = text("ID", "", "The job.");
  private static final String QUEUE_PATH = "/flows/{FLOW}/queues/{QUEUE}";

  static final List<ClientCommand> ALL =
      List.of(
          command("flows", "The Redis flows and the state of their queues.")
              .with(text("FLOW", "", "Only this one.").required(false))
              .runs(FlowCommands::flows),
          group(
              "queues",
              "The jobs in the queues of Redis flows. For their state: millrace flows.",
              command("jobs", "Lists jobs of a queue.")
                  .with(
                      FLOW,
                      QUEUE,
                      text(
                              "--list LIST",
                              "list",
                              "waiting, processing, delayed or dead. Default: waiting.")
                          .preset("waiting"),
                      LIMIT,
                      CURSOR)
                  .get(QUEUE_PATH + "/jobs")
                  .shows(
                      table(
                          "items",
                          "ID {id} | FLOW {flow} | CREATED {createdAt:time} | AT {at:time}"
                              + " | LOCKED BY {lockOwner} | LEFT {lockSeconds} | ERROR {error}"),
                      more("--cursor")),
              command(
                      "pause",
                      "Has the workers of Millrace take no more jobs; those in Node.js go on.")
                  .with(FLOW, QUEUE, REASON)
                  .post(QUEUE_PATH + "/pause")
                  .says("Queue {QUEUE} is paused; {waiting} jobs wait."),
              command("resume", "Ends that.")
                  .with(FLOW, QUEUE, REASON)
                  .post(QUEUE_PATH + "/resume")
                  .says("Queue {QUEUE} goes on."),
              command("requeue", "Puts dead jobs back to those that wait.")
                  .with(
                      FLOW,
                      QUEUE,
                      text(
                              "ID",
                              "ids",
                              "Which; all dead ones of the flow, at most 10000, when left out.")
                          .repeated()
                          .required(false),
                      REASON)
                  .runs(FlowCommands::requeue)),
          group(
              "jobs",
              "The jobs of Redis flows. For those in a queue: millrace queues jobs.",
              command("show", "Shows one job: where it is, its fields, its children.")
                  .with(FLOW_OF_JOB, JOB)
                  .get("/flows/{FLOW}/jobs/{ID}")
                  .shows((output, values) -> show(output, values, "")),
              command(
                      "find",
                      "Lists the jobs that have a value in a lookup field, the newest first.")
                  .with(
                      FLOW_OF_JOB,
                      text("FIELD", "field", "See 'millrace flows --json'."),
                      text("VALUE", "value", "As plain text: 62 or Joe."),
                      limit(50, 200),
                      CURSOR)
                  .get("/flows/{FLOW}/jobs")
                  .shows(
                      table(
                          "items",
                          "ID {id} | STATE {state} | QUEUE {queue} | CREATED {createdAt:time}"
                              + " | ERROR {failedErrorMsg}"),
                      more("--cursor")),
              command("create", "Makes a job and prints its id.")
                  .with(
                      FLOW_OF_JOB,
                      json("--fields JSON", "", "An object; @FILE reads it from a file."),
                      members("--field NAME=JSON", "", "One field; may be repeated."),
                      number("--delay SECONDS", "delaySeconds", "Until it can be taken."),
                      number(
                          "--priority 1-100",
                          "priority",
                          "1 is the most urgent. Default: behind all others."),
                      text(
                          "--unique KEY",
                          "uniqueKey",
                          "Makes none while another job with this key has not ended."),
                      text("--correlation-id ID", "correlationId", ""),
                      REASON)
                  .runs(FlowCommands::create),
              command("delete", "Deletes a job wherever it stands.")
                  .with(FLOW_OF_JOB, JOB)
                  .delete("/flows/{FLOW}/jobs/{ID}")
                  .says("Job {ID} is deleted.")));

  private FlowCommands() {}

  private static int flows(CommandCall call) {
    JsonNode answer = call.get("/flows");
    boolean configured = answer.path("configured").asBoolean();
    if (configured && !answer.path("reachable").asBoolean()) {
      throw new CliException(
          ExitCodes.UNREACHABLE,
          "Redis does not answer: " + CommandOutput.text(answer.path("problem")));
    }
    if (!configured && !call.output().json()) {
      call.output().line("The server has no Redis; its setting redis.uri names one.");
      return ExitCodes.OK;
    }
    if (!call.has("FLOW")) {
      return call.show(answer, queues(answer.path("flows")));
    }
    for (JsonNode flow : answer.path("flows")) {
      if (flow.path("name").asString("").equals(call.text("FLOW"))) {
        return call.show(flow, queues(ApiClient.JSON.createArrayNode().add(flow)));
      }
    }
    throw new CliException(ExitCodes.NOT_FOUND, "There is no flow '" + call.text("FLOW") + "'.");
  }

  private static AnswerPart queues(JsonNode flows) {
    ArrayNode queues = ApiClient.JSON.createArrayNode();
    flows.forEach(flow -> queues.addAll(flow.path("queues").values()));
    AnswerPart table =
        table(
            ".",
            queue -> withoutZero(withoutZero(queue, "expired"), "locksExpiring"),
            "FLOW {flow} | QUEUE {name} | NEXT {next} | WAITING {waiting}"
                + " | OLDEST {oldestWaitingSeconds?{oldestWaitingSeconds} s|-}"
                + " | PROCESSING {processing} | DELAYED {delayed} | DEAD {dead}"
                + " | WORKERS {workers} | BUSY {busy} | DONE/MIN {completedPerMinute}"
                + " | FAILED/MIN {failedPerMinute}",
            "{problem?{problem}}",
            "{expired?jobs that expired in the queue: {expired}}",
            "{paused?paused{pausedSince? since {pausedSince}}{pausedBy? by {pausedBy}}"
                + "{pausedWhy?: {pausedWhy}}}",
            "{locksExpiring?locks that end soon, or are missing: {locksExpiring}}");
    return (output, values) -> table.print(output, values.of(queues));
  }

  /** Blanks a count of zero, of which there is nothing to remark. */
  private static TemplateValues withoutZero(TemplateValues queue, String count) {
    return queue.value(count).asLong(0) > 0 ? queue : queue.with(count, "");
  }

  private static int requeue(CommandCall call) {
    JsonNode done = call.post(QUEUE_PATH + "/requeue", call.fields());
    int requeued = done.path("requeued").asInt(0);
    int gone = done.path("gone").asInt(0);
    int held = done.path("held").asInt(0);
    long asked = call.given().path("ID").valueStream().map(JsonNode::asString).distinct().count();
    long others = asked == 0 ? 0 : asked - requeued - gone - held;
    return call.say(
        "Requeued "
            + jobs(requeued)
            + " of {QUEUE}."
            + (gone > 0 ? " Redis has forgotten " + jobs(gone) + "." : "")
            + (held > 0 ? " Another job has the unique key of " + jobs(held) + "." : "")
            + (others > 0 ? " Not among the flow's dead: " + jobs(others) + "." : ""),
        done);
  }

  private static String jobs(long count) {
    return count == 1 ? "1 job" : count + " jobs";
  }

  private static int create(CommandCall call) {
    JsonNode given = call.given().path("--fields");
    if (call.has("--fields") && !given.isObject()) {
      throw new CliException(ExitCodes.USAGE, "--fields must be a JSON object.");
    }
    ObjectNode body = ApiClient.JSON.createObjectNode();
    ObjectNode fields = body.putObject("fields");
    given.forEachEntry(fields::set);
    call.given().path("--field").forEachEntry(fields::set);
    return call.say(
        "{created?Created job {id}.|Job {id} has this key, and has not finished.}",
        call.post("/flows/{FLOW}/jobs", body.setAll(call.fields())));
  }

  private static void show(CommandOutput output, TemplateValues job, String indent) {
    String at = job.text("{state}").equals("dead") ? "Died" : "Due";
    for (String line :
        List.of(
            "{flow} {id}: {state}{queue? in {queue}}{position? behind {position}}",
            "{lockOwner?  Locked by {lockOwner}}",
            "{lockSeconds?  Seconds left of the lock: {lockSeconds}}",
            "{at?  " + at + " {at}}",
            "{attempts?  Attempts that failed: {attempts}}",
            "{createdAt?  Created {createdAt}}",
            "{ttlSeconds?  Seconds until Redis forgets it: {ttlSeconds}}",
            "{correlationId?  Correlation id {correlationId}}",
            "{failedQueue?  Failed in {failedQueue}}",
            "{failedErrorMsg?  Failed: {failedErrorMsg}}",
            "{progress?  Progress in percent: {progress}}",
            "{note?  {note}}")) {
      String text = job.text(line);
      if (!text.isEmpty()) {
        output.line(indent + text);
      }
    }
    job.answer()
        .path("fields")
        .forEachEntry((name, value) -> output.line(indent + "  " + name + " = " + value));
    job.answer()
        .path("unreadable")
        .forEachEntry(
            (name, value) -> output.line(indent + "  " + name + " is not valid JSON: " + value));
    job.answer().path("children").forEach(child -> show(output, job.of(child), indent + "    "));
  }
}
