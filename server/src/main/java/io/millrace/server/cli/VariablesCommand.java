package io.millrace.server.cli;

import static io.millrace.server.cli.CommandOutput.text;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "variables", description = "Shows the variables of an instance, or changes them.")
final class VariablesCommand extends ApiCommand {

  @Parameters(paramLabel = "ID", description = "The instance.")
  long id;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "The value as JSON or as plain text; may be repeated.")
  Map<String, String> set = Map.of();

  @Option(names = "--remove", paramLabel = "NAME", description = "May be repeated.")
  List<String> remove = List.of();

  @Option(names = "--reason", paramLabel = "TEXT", description = "Written into the history.")
  @Nullable String reason;

  @Override
  int run(ApiClient api, CommandOutput output) {
    String path = "/instances/" + id + "/variables";
    if (!set.isEmpty() || !remove.isEmpty()) {
      api.patch(path, edit());
    }
    JsonNode variables = api.get(path);
    if (output.json()) {
      output.json(variables);
    } else {
      variables.forEach(v -> output.line(line(v)));
    }
    return ExitCodes.OK;
  }

  static String line(JsonNode variable) {
    return text(variable, "name")
        + " = "
        + (variable.path("secret").asBoolean() ? "(secret)" : text(variable, "json"));
  }

  private ObjectNode edit() {
    ObjectNode body = ApiClient.JSON.createObjectNode();
    ObjectNode values = body.putObject("set");
    set.forEach(
        (name, value) -> values.set(name, JsonArguments.jsonOrText("--set " + name, value)));
    ArrayNode names = body.putArray("remove");
    remove.forEach(names::add);
    if (reason != null) {
      body.put("reason", reason);
    }
    return body;
  }
}
