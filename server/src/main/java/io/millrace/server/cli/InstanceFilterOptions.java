package io.millrace.server.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The options that select instances, the same filters as in the web UI. */
final class InstanceFilterOptions {

  /** The statuses of the HTTP interface; the commands do not depend on the engine. */
  static final List<String> STATUSES =
      List.of(
          "created",
          "inProgress",
          "executing",
          "paused",
          "manual",
          "finished",
          "failed",
          "cancelled");

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

  @Option(names = "--find", paramLabel = "KEY", description = "Whole business key or external id.")
  @Nullable String find;

  @Option(
      names = "--key-prefix",
      paramLabel = "TEXT",
      description = "Beginning of the business key or external id, in any case.")
  @Nullable String keyPrefix;

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

  @Option(
      names = "--created-from",
      paramLabel = "TIME",
      description = "2026-11-21T08:00:00Z, a date, or an age such as 24h or 7d.")
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

  /** Returns the filter as the body of a bulk request. */
  ObjectNode json() {
    ObjectNode filter = ApiClient.JSON.createObjectNode();
    putAll(filter, "type", types);
    statuses.forEach(InstanceFilterOptions::requireStatus);
    putAll(filter, "status", statuses);
    put(filter, "state", state);
    put(filter, "key", find);
    put(filter, "keyPrefix", keyPrefix);
    put(filter, "businessKey", businessKey);
    put(filter, "externalId", externalId);
    put(filter, "parent", parent);
    put(filter, "executor", executor);
    put(filter, "group", group);
    put(filter, "failure", failure);
    put(filter, "createdFrom", FilterTimeParser.read("--created-from", createdFrom));
    put(filter, "createdTo", FilterTimeParser.read("--created-to", createdTo));
    put(filter, "endedFrom", FilterTimeParser.read("--ended-from", endedFrom));
    put(filter, "endedTo", FilterTimeParser.read("--ended-to", endedTo));
    if (variable != null) {
      int equals = variable.indexOf('=');
      if (equals < 1) {
        throw new CliException(
            ExitCodes.USAGE, "--variable is '" + variable + "'; expected NAME=VALUE.");
      }
      filter.put("variable", variable.substring(0, equals));
      filter.put("value", variable.substring(equals + 1));
    }
    return filter;
  }

  private static void requireStatus(String status) {
    if (!STATUSES.contains(status)) {
      throw new CliException(
          ExitCodes.USAGE,
          "Unknown --status '"
              + status
              + "'; expected one of "
              + String.join(", ", STATUSES)
              + ".");
    }
  }

  /**
   * Returns the filter as the query of a URL: empty, or parts that each start with an ampersand.
   */
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
