package io.millrace.server.api;

import io.millrace.continuous.ContinuousWorkflowService;
import io.millrace.instance.OperatorAction;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.JsonFields;
import io.millrace.server.http.Param;
import io.millrace.server.http.ProblemException;
import io.millrace.server.http.Route;
import io.millrace.store.ContinuousStore;
import io.millrace.store.StoredContinuousWorkflow;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The continuous workflows and the operator actions on them. */
final class ContinuousResource {

  static final Param<String> GROUP = Param.text("group", InstanceFilterReader.NAME);
  static final Param<StoredContinuousWorkflow.DesiredState> DESIRED =
      Param.choice("desired", desired(), null);
  static final Param<Long> EXECUTOR = Param.id("executor");
  static final Param<String> TEXT = Param.text("text", ContinuousResource.NAME);
  static final Param<Boolean> TROUBLED =
      Param.choice("troubled", Map.of("true", true, "false", false), false);
  static final Param<String> AFTER = Param.text("after", ContinuousResource.NAME);
  static final Param<Long> BEFORE = Param.id("before");

  private static final int NAME = 200;
  private static final Duration DAY = Duration.ofDays(1);

  private final ApiContext apiContext;
  private final ContinuousWorkflowService workflows;

  ContinuousResource(ApiContext apiContext) {
    this.apiContext = apiContext;
    this.workflows = apiContext.engine().continuous();
  }

  private static Map<String, StoredContinuousWorkflow.DesiredState> desired() {
    return Map.of(
        "on",
        StoredContinuousWorkflow.DesiredState.ON,
        "off",
        StoredContinuousWorkflow.DesiredState.OFF);
  }

  /** Schema ContinuousPage. */
  record ContinuousPage(List<ContinuousView> items, @Nullable String next) {}

  /** Schema ContinuousWorkflowDetail. */
  record ContinuousWorkflowDetail(ContinuousView workflow, List<String> unmet, long downtimeMs) {}

  ApiResponse list(ApiRequest apiRequest) {
    int limit = apiRequest.get(InstanceResource.LIMIT);
    List<StoredContinuousWorkflow> found =
        workflows.list(
            new ContinuousStore.Filter(
                apiRequest.find(GROUP),
                apiRequest.find(DESIRED),
                apiRequest.find(EXECUTOR),
                apiRequest.find(TEXT),
                apiRequest.get(TROUBLED)),
            apiRequest.find(AFTER),
            limit);
    String next = found.size() < limit ? null : found.getLast().name();
    return ApiResponse.json(
        new ContinuousPage(
            found.stream().map(one -> ContinuousView.of(one, apiContext.secretNames())).toList(),
            next));
  }

  ApiResponse get(ApiRequest apiRequest) {
    String name = name(apiRequest);
    StoredContinuousWorkflow found = workflows.get(name);
    return ApiResponse.json(
        new ContinuousWorkflowDetail(
            ContinuousView.of(found, apiContext.secretNames()),
            workflows.unmet(name).stream().map(unmet -> unmet.text()).toList(),
            workflows.downtime(name, DAY).toMillis()));
  }

  ApiResponse events(ApiRequest apiRequest) {
    String name = name(apiRequest);
    workflows.get(name);
    return ApiResponse.json(
        workflows
            .events(name, apiRequest.find(BEFORE), apiRequest.get(InstanceResource.LIMIT))
            .stream()
            .map(event -> ContinuousView.EventView.of(event, apiContext.secretNames()))
            .toList());
  }

  ApiResponse desire(ApiRequest apiRequest) throws IOException {
    JsonFields body = apiRequest.body("desired", "reason");
    StoredContinuousWorkflow.DesiredState desiredState = body.choice("desired", desired());
    OperatorAction action = InstanceActionResource.actionOf(apiRequest, body);
    if (desiredState == StoredContinuousWorkflow.DesiredState.ON) {
      workflows.enable(name(apiRequest), action);
    } else {
      workflows.disable(name(apiRequest), action);
    }
    return ApiResponse.empty();
  }

  /** An action that needs only a reason. */
  @FunctionalInterface
  interface SimpleAction {
    void apply(ContinuousWorkflowService workflows, String name, OperatorAction action);
  }

  Route.Handler simple(SimpleAction action) {
    return apiRequest -> {
      action.apply(
          workflows,
          name(apiRequest),
          InstanceActionResource.actionOf(apiRequest, apiRequest.body("reason")));
      return ApiResponse.empty();
    };
  }

  ApiResponse endDebug(ApiRequest apiRequest) {
    workflows.endDebug(name(apiRequest), OperatorAction.by(apiRequest.caller().actor()));
    return ApiResponse.empty();
  }

  ApiResponse move(ApiRequest apiRequest) throws IOException {
    JsonFields body = apiRequest.body("executor", "reason");
    Long executor = body.optionalNumber("executor", 1, Long.MAX_VALUE);
    if (executor == null) {
      throw ProblemException.invalid("executor", "is missing; expected the id of an executor.");
    }
    workflows.move(name(apiRequest), executor, InstanceActionResource.actionOf(apiRequest, body));
    return ApiResponse.empty();
  }

  record RunStarted(long id) {}

  ApiResponse run(ApiRequest apiRequest) throws IOException {
    JsonFields body = apiRequest.body("payload", "debug", "reason");
    JsonNode payload = body.json("payload");
    if (payload == null) {
      throw ProblemException.invalid("payload", "is missing; expected what an event would bring.");
    }
    OperatorAction action = InstanceActionResource.actionOf(apiRequest, body);
    long id =
        body.flag("debug")
            ? workflows.runToDebug(name(apiRequest), payload, action)
            : workflows.runNow(name(apiRequest), payload, action);
    apiContext.feed().instanceChanged(id);
    return new ApiResponse.Json(201, new RunStarted(id));
  }

  record Offered(String result, String key) {}

  /** Accepts an external event; without a key, each request counts as a new event. */
  ApiResponse offer(ApiRequest apiRequest) throws IOException {
    String given = apiRequest.find(StartResource.IDEMPOTENCY_KEY);
    String key = given == null ? UUID.randomUUID().toString() : given;
    JsonNode payload = apiRequest.bodyNode();
    if (payload == null) {
      throw ProblemException.invalid("body", "is empty; expected the event as JSON.");
    }
    ContinuousStore.OfferResult result = workflows.offer(name(apiRequest), key, payload);
    return new ApiResponse.Json(
        202, new Offered(result == ContinuousStore.OfferResult.KNOWN ? "known" : "kept", key));
  }

  private static String name(ApiRequest apiRequest) {
    return apiRequest.path("name", NAME);
  }
}
