package io.millrace.server.api;

import io.millrace.WorkflowClient;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StartedInstance;
import io.millrace.instance.WorkflowInstance;
import io.millrace.sequence.SequenceService;
import io.millrace.server.events.ChangeFeed;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.JsonFields;
import io.millrace.server.http.Param;
import io.millrace.server.http.ProblemException;
import io.millrace.server.security.InstancePermissions;
import io.millrace.server.security.InstancePermissions.Access;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The operations that start instances and send signals. */
final class StartResource {

  /** The header that makes repeating a request harmless. */
  static final Param<String> IDEMPOTENCY_KEY =
      Param.header("Idempotency-Key", InstanceFilterReader.KEY);

  private static final int VARIABLES = 100;

  private final WorkflowClient client;
  private final InstanceAccess instances;
  private final SequenceService sequenceService;
  private final ChangeFeed feed;

  StartResource(ApiContext context) {
    this.client = context.client();
    this.instances = context.instances();
    this.sequenceService = context.engine().sequences();
    this.feed = context.feed();
  }

  ApiResponse start(ApiRequest apiRequest) throws IOException {
    JsonFields body =
        apiRequest.body(
            "type",
            "version",
            "input",
            "variables",
            "businessKey",
            "externalId",
            "priority",
            "at",
            "resume");
    String type = body.text("type", 1, InstanceFilterReader.NAME);
    if (InstancePermissions.isServerType(type)) {
      throw ProblemException.of(
          403,
          "Workflow '"
              + type
              + "' is the server's own; it is started by the operation that it stands for, such as"
              + " POST /bulk, /rollouts or /maintenances.");
    }
    if (sequenceService.hasType(type)) {
      throw ProblemException.of(
          409,
          "Workflows of type '"
              + type
              + "' are made of tasks; they are started by POST /sequences/{id}/run, which keeps to"
              + " their slots.");
    }
    StartedInstance startedInstance = client.start(request(apiRequest, body, type));
    feed.instanceChanged(startedInstance.id(), type);
    return new ApiResponse.Json(startedInstance.created() ? 201 : 200, startedInstance);
  }

  private static StartRequest request(ApiRequest apiRequest, JsonFields body, String type) {
    StartRequest request = StartRequest.of(type);
    JsonNode input = body.json("input");
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
    request = request.businessKey(body.optionalText("businessKey", InstanceFilterReader.KEY));
    if (!body.flag("resume", true)) {
      request = request.resume(false);
    }
    String externalId = key(apiRequest, body, "externalId");
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

  /** Returns the member of the body or, without one, the header. */
  private static @Nullable String key(ApiRequest apiRequest, JsonFields body, String name) {
    String inBody = body.optionalText(name, InstanceFilterReader.KEY);
    return inBody != null ? inBody : apiRequest.find(IDEMPOTENCY_KEY);
  }

  ApiResponse signal(ApiRequest apiRequest) throws IOException {
    WorkflowInstance receiver = instances.find(apiRequest, Access.MODIFY);
    JsonFields body = apiRequest.body("name", "payload", "key");
    String name = body.text("name", 1, InstanceFilterReader.NAME);
    long id = receiver.id();
    client.signal(
        id, name, body.json("payload"), apiRequest.caller().actor(), key(apiRequest, body, "key"));
    feed.instanceChanged(id, receiver.type());
    return ApiResponse.empty();
  }
}
