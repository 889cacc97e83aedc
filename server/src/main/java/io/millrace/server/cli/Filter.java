package io.millrace.server.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Which instances: the same filters as in the web UI. */
final class Filter {

  @Option(names = "--type", paramLabel = "TYPE", description = "Workflow type; may be repeated.")
  List<String> types = List.of();

  @Option(
      names = "--status",
      split = ",",
      paramLabel = "STATUS",
      description =
          "created, inProgress, executing, paused, manual, finished, failed or cancelled; may be repeated.")
  List<String> statuses = List.of();

  @Option(names = "--state", paramLabel = "STATE", description = "Current state.")
  @Nullable String state;

  @Option(names = "--find", paramLabel = "KEY", description = "Business key or external id.")
  @Nullable String find;

  @Option(names = "--business-key", paramLabel = "KEY")
  @Nullable String businessKey;

  @Option(names = "--external-id", paramLabel = "ID")
  @Nullable String externalId;

  @Option(names = "--parent", paramLabel = "ID", description = "Children of this instance.")
  @Nullable Long parent;

  @Option(names = "--executor", paramLabel = "ID", description = "Held by this executor.")
  @Nullable Long executor;

  @Option(names = "--group", paramLabel = "GROUP", description = "Executor group.")
  @Nullable String group;

  @Option(
      names = "--failure",
      paramLabel = "FINGERPRINT",
      description = "A failure group; see 'millrace failures'.")
  @Nullable String failure;

  @Option(names = "--created-from", paramLabel = "TIME", description = "As 2026-11-21T08:00:00Z.")
  @Nullable String createdFrom;

  @Option(names = "--created-to", paramLabel = "TIME")
  @Nullable String createdTo;

  @Option(names = "--ended-from", paramLabel = "TIME")
  @Nullable String endedFrom;

  @Option(names = "--ended-to", paramLabel = "TIME")
  @Nullable String endedTo;

  @Option(
      names = "--variable",
      paramLabel = "NAME=VALUE",
      description = "A variable's value, as JSON or as plain text.")
  @Nullable String variable;

  /** As the body of a bulk request. */
  ObjectNode json() {
    ObjectNode filter = ApiClient.JSON.createObjectNode();
    putAll(filter, "type", types);
    putAll(filter, "status", statuses);
    put(filter, "state", state);
    put(filter, "key", find);
    put(filter, "businessKey", businessKey);
    put(filter, "externalId", externalId);
    put(filter, "parent", parent);
    put(filter, "executor", executor);
    put(filter, "group", group);
    put(filter, "failure", failure);
    put(filter, "createdFrom", createdFrom);
    put(filter, "createdTo", createdTo);
    put(filter, "endedFrom", endedFrom);
    put(filter, "endedTo", endedTo);
    if (variable != null) {
      int equals = variable.indexOf('=');
      if (equals < 1) {
        throw new CliException(
            ExitCode.USAGE, "--variable is '" + variable + "'; expected NAME=VALUE.");
      }
      filter.put("variable", variable.substring(0, equals));
      filter.put("value", variable.substring(equals + 1));
    }
    return filter;
  }

  /** As the query of a URL: empty, or parts that each begin with an ampersand. */
  String query() {
    StringBuilder query = new StringBuilder();
    json()
        .properties()
        .forEach(field -> {
          if (field.getValue() instanceof ArrayNode values) {
            values.forEach(value -> append(query, field.getKey(), value.asString()));
          } else {
            append(query, field.getKey(), field.getValue().asString());
          }
        });
    return query.toString();
  }

  static void appendGiven(StringBuilder query, String name, @Nullable String value) {
    if (value != null) {
      append(query, name, value);
    }
  }

  static void append(StringBuilder query, String name, String value) {
    query.append('&').append(name).append('=').append(URLEncoder.encode(value, UTF_8));
  }

  private static void put(ObjectNode filter, String name, @Nullable Object value) {
    if (value instanceof Long number) {
      filter.put(name, number);
    } else if (value != null) {
      filter.put(name, value.toString());
    }
  }

  private static void putAll(ObjectNode filter, String name, List<String> values) {
    if (!values.isEmpty()) {
      ArrayNode array = filter.putArray(name);
      values.forEach(array::add);
    }
  }
}
