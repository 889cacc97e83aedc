package io.millrace.server.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "start", description = "Starts an instance and prints its id.")
final class StartCommand extends ApiCommand {

  @Parameters(paramLabel = "TYPE", description = "The workflow's type.")
  String type = "";

  @Option(
      names = "--input",
      paramLabel = "JSON",
      description = "The input; @FILE reads it from a file.")
  @Nullable String input;

  @Option(
      names = "--var",
      paramLabel = "NAME=JSON",
      description = "A first variable; may be repeated.")
  Map<String, String> variables = Map.of();

  @Option(
      names = "--version-number",
      paramLabel = "N",
      description = "The definition's version. Default: the newest.")
  @Nullable Integer version;

  @Option(names = "--business-key", paramLabel = "KEY")
  @Nullable String businessKey;

  @Option(
      names = "--no-resume",
      description = "Ignores the checkpoints of earlier instances of the same business key.")
  boolean noResume;

  @Option(names = "--external-id", paramLabel = "ID", description = "Makes repeating harmless.")
  @Nullable String externalId;

  @Option(names = "--priority", paramLabel = "0-9", description = "9 runs first. Default: 4.")
  @Nullable Integer priority;

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description = "First run, as 2026-11-21T08:00:00Z. Default: now.")
  @Nullable String at;

  @Override
  int run(ApiClient api, CommandOutput output) {
    ObjectNode body = ApiClient.JSON.createObjectNode().put("type", type);
    if (input != null) {
      body.set("input", JsonArguments.json("--input", input));
    }
    if (!variables.isEmpty()) {
      ObjectNode given = body.putObject("variables");
      variables.forEach(
          (name, value) -> given.set(name, JsonArguments.jsonOrText("--var " + name, value)));
    }
    if (version != null) {
      body.put("version", version);
    }
    if (businessKey != null) {
      body.put("businessKey", businessKey);
    }
    if (noResume) {
      body.put("resume", false);
    }
    if (externalId != null) {
      body.put("externalId", externalId);
    }
    if (priority != null) {
      body.put("priority", priority);
    }
    if (at != null) {
      body.put("at", at);
    }
    JsonNode started = api.post("/instances", body);
    if (output.json()) {
      output.json(started);
    } else {
      String id = CommandOutput.text(started, "id");
      output.line(
          started.path("created").asBoolean()
              ? "Started instance " + id + ". Follow it: millrace watch " + id
              : "Instance " + id + " had been started before with this external id.");
    }
    return ExitCodes.OK;
  }
}
