package io.millrace.server.api;

import io.millrace.WorkflowClient;
import io.millrace.instance.StartRequest;
import io.millrace.instance.Started;
import io.millrace.instance.WorkflowInstance;
import io.millrace.sequence.Sequences;
import io.millrace.server.events.ChangeFeed;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.Fields;
import io.millrace.server.http.Param;
import io.millrace.server.http.ProblemException;
import io.millrace.server.security.InstancePermissions;
import io.millrace.server.security.InstancePermissions.Use;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Starts instances and sends signals. */
final class Starts {

  /** Makes repeating a request harmless. */
  static final Param<String> IDEMPOTENCY_KEY = Param.header("Idempotency-Key", Filters.KEY);

  private static final int VARIABLES = 100;

  private final WorkflowClient client;
  private final InstanceAccess instances;
  private final Sequences sequences;
  private final ChangeFeed feed;

  Starts(Sources sources) {
    this.client = sources.client();
    this.instances = sources.instances();
    this.sequences = sources.engine().sequences();
    this.feed = sources.feed();
  }

  Answer start(Call call) throws IOException {
    Fields body =
        call.body(
            "type",
            "version",
            "input",
            "variables",
            "businessKey",
            "externalId",
            "priority",
            "at",
            "resume");
    String type = body.text("type", 1, Filters.NAME);
    if (InstancePermissions.isOwn(type)) {
      throw ProblemException.of(
          403,
          "Workflow '"
              + type
              + "' is the server's own; it is started by the operation that it stands for, such as"
              + " POST /bulk, /rollouts or /maintenances.");
    }
    if (sequences.hasType(type)) {
      throw ProblemException.of(
          409,
          "Workflows of type '"
              + type
              + "' are made of tasks; they are started by POST /sequences/{id}/run, which keeps to"
              + " their slots.");
    }
    Started started = client.start(request(call, body, type));
    feed.instance(started.id(), type);
    return new Answer.Json(started.created() ? 201 : 200, started);
  }

  private static StartRequest request(Call call, Fields body, String type) {
    StartRequest request = StartRequest.of(type);
    JsonNode input = body.any("input");
    if (input != null) {
      request = StartRequest.of(type, input);
    }
    Long version = body.optionalNumber("version", 1, Integer.MAX_VALUE);
    if (version != null) {
      request = request.version(version.intValue());
    }
    for (Map.Entry<String, JsonNode> variable : body.members("variables", VARIABLES).entrySet()) {
      request = request.variable(variable.getKey(), variable.getValue());
    }
    request = request.businessKey(body.optionalText("businessKey", Filters.KEY));
    if (!body.flag("resume", true)) {
      request = request.resume(false);
    }
    String externalId = key(call, body, "externalId");
    if (externalId != null) {
      request = request.externalId(externalId);
    }
    Long priority = body.optionalNumber("priority", 0, StartRequest.MAX_PRIORITY);
    if (priority != null) {
      request = request.priority(priority.intValue());
    }
    Instant at = body.optionalTime("at");
    return at == null ? request : request.at(at);
  }

  /** The member of the body, or else the header. */
  private static @Nullable String key(Call call, Fields body, String name) {
    String inBody = body.optionalText(name, Filters.KEY);
    return inBody != null ? inBody : call.find(IDEMPOTENCY_KEY);
  }

  Answer signal(Call call) throws IOException {
    WorkflowInstance receiver = instances.find(call, Use.ALTER);
    Fields body = call.body("name", "payload", "key");
    String name = body.text("name", 1, Filters.NAME);
    long id = receiver.id();
    client.signal(id, name, body.any("payload"), call.caller().actor(), key(call, body, "key"));
    feed.instance(id, receiver.type());
    return Answer.empty();
  }
}
