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
  static final Param<Boolean> ENABLED =
      Param.choice("enabled", Map.of("true", true, "false", false), null);
  static final Param<Long> EXECUTOR = Param.id("executor");
  static final Param<String> TEXT = Param.text("text", ContinuousResource.NAME);
  static final Param<Boolean> UNHEALTHY =
      Param.choice("unhealthy", Map.of("true", true, "false", false), false);
  static final Param<String> AFTER = Param.text("after", ContinuousResource.NAME);
  static final Param<Long> BEFORE = Param.id("before");

  private static final int NAME = 200;
  private static final Duration DAY = Duration.ofDays(1);

  private final ApiContext context;
  private final ContinuousWorkflowService workflows;

  ContinuousResource(ApiContext context) {
    this.context = context;
    this.workflows = context.engine().continuous();
  }

  /** Schema ContinuousPage. */
  record ContinuousPage(List<ContinuousView> items, @Nullable String next) {}

  /** Schema ContinuousWorkflowDetail. */
  record ContinuousWorkflowDetail(ContinuousView workflow, List<String> unmet, long downtimeMs) {}

  ApiResponse list(ApiRequest request) {
    int limit = request.get(InstanceResource.LIMIT);
    List<StoredContinuousWorkflow> found =
        workflows.list(
            new ContinuousStore.Filter(
                request.find(GROUP),
                request.find(ENABLED),
                request.find(EXECUTOR),
                request.find(TEXT),
                request.get(UNHEALTHY)),
            request.find(AFTER),
            limit);
    String next = found.size() < limit ? null : found.getLast().name();
    return ApiResponse.json(
        new ContinuousPage(
            found.stream().map(one -> ContinuousView.of(one, context.secretNames())).toList(),
            next));
  }

  ApiResponse get(ApiRequest request) {
    String name = name(request);
    StoredContinuousWorkflow found = workflows.get(name);
    return ApiResponse.json(
        new ContinuousWorkflowDetail(
            ContinuousView.of(found, context.secretNames()),
            workflows.unmet(name).stream().map(unmet -> unmet.text()).toList(),
            workflows.downtime(name, DAY).toMillis()));
  }

  ApiResponse log(ApiRequest request) {
    String name = name(request);
    workflows.get(name);
    return ApiResponse.json(
        workflows.log(name, request.find(BEFORE), request.get(InstanceResource.LIMIT)).stream()
            .map(entry -> ContinuousView.LogEntryView.of(entry, context.secretNames()))
            .toList());
  }

  /** An action that needs only a reason. */
  @FunctionalInterface
  interface SimpleAction {
    void apply(ContinuousWorkflowService workflows, String name, OperatorAction action);
  }

  Route.Handler simple(SimpleAction action) {
    return request -> {
      action.apply(
          workflows,
          name(request),
          InstanceActionResource.actionOf(request, request.body("reason")));
      return ApiResponse.empty();
    };
  }

  ApiResponse endDebug(ApiRequest request) {
    workflows.endDebug(name(request), OperatorAction.by(request.caller().actor()));
    return ApiResponse.empty();
  }

  ApiResponse move(ApiRequest request) throws IOException {
    JsonFields body = request.body("executor", "reason");
    Long executor = body.optionalNumber("executor", 1, Long.MAX_VALUE);
    if (executor == null) {
      throw ProblemException.invalid("executor", "is missing; expected the id of an executor.");
    }
    workflows.move(name(request), executor, InstanceActionResource.actionOf(request, body));
    return ApiResponse.empty();
  }

  record RunStarted(long id) {}

  ApiResponse run(ApiRequest request) throws IOException {
    JsonFields body = request.body("payload", "debug", "reason");
    JsonNode payload = body.json("payload");
    if (payload == null) {
      throw ProblemException.invalid("payload", "is missing; expected what an event would bring.");
    }
    OperatorAction action = InstanceActionResource.actionOf(request, body);
    long id =
        body.flag("debug")
            ? workflows.runToDebug(name(request), payload, action)
            : workflows.runNow(name(request), payload, action);
    context.feed().instanceChanged(id);
    return new ApiResponse.Json(201, new RunStarted(id));
  }

  record Offered(String result, String key) {}

  /** Offers an event; without a key, each request counts as a new event. */
  ApiResponse offer(ApiRequest request) throws IOException {
    String given = request.find(StartResource.IDEMPOTENCY_KEY);
    String key = given == null ? UUID.randomUUID().toString() : given;
    JsonNode payload = request.bodyNode();
    if (payload == null) {
      throw ProblemException.invalid("body", "is empty; expected the event as JSON.");
    }
    ContinuousStore.OfferResult result = workflows.offer(name(request), key, payload);
    return new ApiResponse.Json(
        202, new Offered(result == ContinuousStore.OfferResult.KNOWN ? "known" : "kept", key));
  }

  private static String name(ApiRequest request) {
    return request.path("name", NAME);
  }
}
