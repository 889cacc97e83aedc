package io.millrace.server.api;

import io.millrace.continuous.Rollout;
import io.millrace.continuous.RolloutRequest;
import io.millrace.continuous.RolloutService;
import io.millrace.instance.AuditEntry;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StopReason;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.JsonFields;
import io.millrace.server.http.Route;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The rollouts and recycles of the nodes of this server's group. */
final class RolloutResource {

  private static final int MAX_NODES = 1000;
  private static final int NODE = 255;
  private static final long DAY = Duration.ofDays(1).toSeconds();
  private static final long MAX_PATIENCE = Duration.ofDays(7).toSeconds();
  private static final int SHOWN = 50;

  private static final String TYPE = "millrace-rollout";

  private final RolloutService rolloutService;
  private final ApiContext context;

  RolloutResource(ApiContext context) {
    this.context = context;
    this.rolloutService = context.engine().admin().rollouts();
  }

  /** Schema Rollout. */
  record RolloutView(
      long id,
      String reason,
      String phase,
      List<String> nodes,
      int done,
      @Nullable NodeView current,
      String by,
      @Nullable String why,
      Instant started,
      Instant since) {

    static RolloutView of(Rollout one) {
      Rollout.CurrentNode currentNode = one.progress().current();
      return new RolloutView(
          one.id(),
          code(one.reason()),
          code(one.phase()),
          one.nodes(),
          one.done(),
          currentNode == null ? null : NodeView.of(currentNode),
          one.origin().by(),
          one.why(),
          one.origin().asked(),
          one.since());
    }
  }

  /** Schema RolloutNode. */
  record NodeView(
      String node,
      long executorId,
      String stage,
      @Nullable Instant since,
      @Nullable Instant deadline,
      int held) {

    static NodeView of(Rollout.CurrentNode one) {
      return new NodeView(
          one.node(), one.executorId(), code(one.stage()), one.since(), one.deadline(), one.held());
    }
  }

  private static String code(Enum<?> one) {
    return one.name().toLowerCase(Locale.ROOT);
  }

  /** An operator action on one rollout. */
  @FunctionalInterface
  interface RolloutAction {
    void apply(RolloutService rollouts, long id, OperatorAction action);
  }

  ApiResponse list(ApiRequest apiRequest) {
    return ApiResponse.json(rolloutService.list(SHOWN).stream().map(RolloutView::of).toList());
  }

  ApiResponse get(ApiRequest apiRequest) {
    return ApiResponse.json(RolloutView.of(rolloutService.get(apiRequest.id())));
  }

  ApiResponse start(ApiRequest apiRequest) throws IOException {
    JsonFields body =
        apiRequest.body(
            "nodes", "recycle", "graceSeconds", "minReadySeconds", "patienceSeconds", "reason");
    RolloutRequest usual = RolloutRequest.all();
    RolloutRequest request =
        new RolloutRequest(
            body.flag("recycle") ? StopReason.RECYCLE : StopReason.ROLLOUT,
            body.texts("nodes", MAX_NODES, NODE),
            seconds(body, "graceSeconds", 0, DAY),
            orElse(seconds(body, "minReadySeconds", 0, DAY), usual.minReady()),
            orElse(seconds(body, "patienceSeconds", 1, MAX_PATIENCE), usual.patience()));
    OperatorAction action = InstanceActionResource.actionOf(apiRequest, body);
    long id = rolloutService.start(request, action);
    context.admin().audit(entry(action, id, request));
    context.feed().instanceChanged(id, TYPE);
    return new ApiResponse.Json(201, RolloutView.of(rolloutService.get(id)));
  }

  private static AuditEntry entry(OperatorAction action, long id, RolloutRequest request) {
    String what = code(request.reason());
    String nodes = request.nodes().isEmpty() ? "all nodes" : String.join(", ", request.nodes());
    return new AuditEntry(
        action.actor(), "startRollout", id, what + " of " + nodes, action.reason(), null);
  }

  private static Duration orElse(@Nullable Duration given, Duration usual) {
    return given == null ? usual : given;
  }

  private static @Nullable Duration seconds(JsonFields body, String name, long least, long most) {
    Long seconds = body.optionalNumber(name, least, most);
    return seconds == null ? null : Duration.ofSeconds(seconds);
  }

  /**
   * Returns a handler that changes a rollout. The audit shows the request as a signal to the
   * instance.
   */
  Route.Handler steer(RolloutAction action) {
    return apiRequest -> {
      action.apply(
          rolloutService,
          apiRequest.id(),
          InstanceActionResource.actionOf(apiRequest, apiRequest.body("reason")));
      context.feed().instanceChanged(apiRequest.id(), TYPE);
      return ApiResponse.empty();
    };
  }
}
