package io.millrace.server.api;

import io.millrace.instance.OperatorAction;
import io.millrace.redis.admin.JobList;
import io.millrace.redis.admin.QueueView;
import io.millrace.redis.admin.RequeueResult;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.connect.RedisUnavailableException;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.JsonFields;
import io.millrace.server.http.Param;
import io.millrace.server.http.ProblemException;
import io.millrace.server.http.StrictJson;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The Redis flows and their queues. */
final class FlowQueueResource {

  static final Param<JobList> LIST =
      Param.choice(
          "list",
          Param.codes(JobList.values(), list -> list.name().toLowerCase(Locale.ROOT)),
          JobList.WAITING);

  /**
   * Upper limit of the characters in the name of a flow or a queue; a child's includes those of its
   * parents.
   */
  private static final int NAME = 401;

  private static final int MAX_IDS = 1_000;
  private static final int MAX_ID = 200;
  private static final Duration AGE = Duration.ofSeconds(1);

  private final AuditRecorder auditRecorder;
  private final @Nullable FlowServices flowServices;
  private final CachedSupplier<FlowViews.Flows> all;

  FlowQueueResource(ApiContext context, @Nullable FlowServices flowServices) {
    this.auditRecorder = new AuditRecorder(context);
    this.flowServices = flowServices;
    this.all = new CachedSupplier<>(context.clock(), AGE, this::load);
  }

  ApiResponse list(ApiRequest request) {
    return ApiResponse.json(flowServices == null ? FlowViews.Flows.NOT_CONFIGURED : all.get());
  }

  private FlowViews.Flows load() {
    try {
      return FlowViews.Flows.of(requireServices(flowServices).admin().flows());
    } catch (RedisUnavailableException | RedisReplyException e) {
      return FlowViews.Flows.unreachable(String.valueOf(e.getMessage()));
    }
  }

  /** Returns the services, or rejects the request if there are none. */
  static FlowServices requireServices(@Nullable FlowServices flowServices) {
    if (flowServices == null) {
      throw ProblemException.notFound(
          "This server has no Redis, and so no flows. Set redis.uri to have some.");
    }
    return flowServices;
  }

  /** Returns the flow in the path. */
  static String flow(ApiRequest request) {
    return request.path("flow", NAME);
  }

  private static String queue(ApiRequest request) {
    return request.path("queue", NAME);
  }

  ApiResponse jobs(ApiRequest request) {
    return ApiResponse.json(
        FlowViews.Page.of(
            requireServices(flowServices)
                .admin()
                .jobs(
                    flow(request),
                    queue(request),
                    request.get(LIST),
                    request.get(InstanceResource.LIMIT),
                    request.find(InstanceResource.CURSOR))));
  }

  ApiResponse pause(ApiRequest request) throws IOException {
    OperatorAction action = InstanceActionResource.actionOf(request, request.body("reason"));
    QueueView view =
        requireServices(flowServices)
            .admin()
            .pause(flow(request), queue(request), action.actor(), action.reason());
    return done(request, action, "pauseQueue", view);
  }

  ApiResponse resume(ApiRequest request) throws IOException {
    OperatorAction action = InstanceActionResource.actionOf(request, request.body("reason"));
    return done(
        request,
        action,
        "resumeQueue",
        requireServices(flowServices).admin().resume(flow(request), queue(request)));
  }

  private ApiResponse done(ApiRequest request, OperatorAction by, String action, QueueView view) {
    all.invalidate();
    auditRecorder.record(by, action, flow(request) + "/" + queue(request));
    return ApiResponse.json(FlowViews.Queue.of(view));
  }

  ApiResponse requeue(ApiRequest request) throws IOException {
    JsonFields body = request.body("ids", "reason");
    OperatorAction action = InstanceActionResource.actionOf(request, body);
    List<String> ids = body.texts("ids", MAX_IDS, MAX_ID);
    ids.forEach(id -> FlowJobResource.checked("ids", id));
    if (body.has("ids") && ids.isEmpty()) {
      throw ProblemException.invalid("ids", "is empty; name some, or leave it out for all.");
    }
    RequeueResult requeueResult =
        requireServices(flowServices).admin().requeue(flow(request), queue(request), ids);
    all.invalidate();
    auditRecorder.record(
        action,
        "requeueJobs",
        flow(request) + "/" + queue(request),
        null,
        StrictJson.write(requeueResult));
    return ApiResponse.json(requeueResult);
  }
}
