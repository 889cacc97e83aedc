package io.millrace.server.api;

import io.millrace.instance.OperatorAction;
import io.millrace.redis.admin.FlowAdmin;
import io.millrace.redis.admin.FlowRegistry;
import io.millrace.redis.admin.JobLocation;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.jobs.JobNotFoundException;
import io.millrace.redis.jobs.JobStore;
import io.millrace.redis.jobs.JobView;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.JsonFields;
import io.millrace.server.http.Param;
import io.millrace.server.http.ProblemException;
import io.millrace.server.http.StrictJson;
import io.millrace.server.security.SecretNames;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The jobs of Redis flows, by their ids and lookup fields. */
final class FlowJobResource {

  static final Param<String> FIELD = Param.text("field", 200);
  static final Param<String> VALUE = Param.text("value", 4000);

  /**
   * Upper limit of the jobs in one response; finding the list of a job searches all lists of its
   * flow.
   */
  static final Param<Integer> LIMIT = Param.number("limit", 1, 200, 50);

  static final Param<Integer> CURSOR = Param.number("cursor", 0, Integer.MAX_VALUE, 0);

  private static final int MAX_ID = 200;
  private static final int MAX_FIELDS = 1_000;
  private static final long MAX_DELAY = Duration.ofDays(365).toSeconds();
  private static final long MIN_URGENT = 100;

  private final AuditRecorder auditRecorder;
  private final SecretNames secretNames;
  private final @Nullable FlowServices flowServices;

  FlowJobResource(ApiContext context, @Nullable FlowServices flowServices) {
    this.secretNames = context.secretNames();
    this.auditRecorder = new AuditRecorder(context);
    this.flowServices = flowServices;
  }

  ApiResponse find(ApiRequest request) {
    FlowServices open = FlowQueueResource.requireServices(flowServices);
    Flow flow = open.admin().registry().flow(FlowQueueResource.flow(request));
    String field = request.get(FIELD);
    if (!flow.lookup().contains(field)) {
      throw ProblemException.invalid(
          "field",
          "is none by whose values jobs of this flow are found; "
              + (flow.lookup().isEmpty()
                  ? "it has none."
                  : "expected one of " + flow.lookup() + "."));
    }
    String value = request.get(VALUE);
    refuseSecrets(field, value);
    JobStore.FoundJobs foundJobs =
        open.jobs().newest(flow, field, value, request.get(LIMIT), request.get(CURSOR));
    Long next = foundJobs.next();
    return ApiResponse.json(
        new Page(views(open, foundJobs.jobs()), next == null ? null : String.valueOf(next)));
  }

  /** Rejects a search by a value that is not shown, since the result would confirm a guess. */
  private void refuseSecrets(String field, String value) {
    if (secretNames.isSecret(field)) {
      throw ProblemException.invalid(
          "field",
          "is '"
              + field
              + "', which is secret by its name, so that jobs cannot be found by it. Search by"
              + " another field.");
    }
    if (secretNames.holdsSecret(value)) {
      throw ProblemException.invalid(
          "value",
          "holds a secret, by the name of a member or as '$secret', so that jobs cannot be found by"
              + " it. Search by another field.");
    }
  }

  /** Schema Jobs. */
  private record Page(List<FlowJobView> items, @Nullable String next) {}

  ApiResponse get(ApiRequest request) {
    FlowServices open = FlowQueueResource.requireServices(flowServices);
    String flow = FlowQueueResource.flow(request);
    String id = id(request);
    JobView job = open.jobs().get(flow, id);
    return ApiResponse.json(views(open, List.of(job)).getFirst());
  }

  private List<FlowJobView> views(FlowServices flowServices, List<JobView> jobs) {
    List<FlowAdmin.JobRef> refs = new ArrayList<>();
    jobs.forEach(job -> collect(job, refs));
    Iterator<JobLocation> places = flowServices.admin().places(refs).iterator();
    return jobs.stream().map(job -> FlowJobView.of(job, places, secretNames)).toList();
  }

  /** Collects the references in the order in which the views consume their locations. */
  private static void collect(JobView job, List<FlowAdmin.JobRef> refs) {
    refs.add(new FlowAdmin.JobRef(job.flow(), job.id()));
    job.children().forEach(child -> collect(child, refs));
  }

  ApiResponse create(ApiRequest request) throws IOException {
    JsonFields body =
        request.body("fields", "delaySeconds", "priority", "uniqueKey", "correlationId", "reason");
    if (!body.has("fields")) {
      throw ProblemException.invalid("fields", "is missing; expected a JSON object.");
    }
    OperatorAction action = InstanceActionResource.actionOf(request, body);
    NewJob job = job(body);
    FlowServices open = FlowQueueResource.requireServices(flowServices);
    Flow flow = open.admin().registry().flow(FlowQueueResource.flow(request));
    JobStore.CreateResult createResult = open.jobs().createOrGet(flow, job);
    auditRecorder.record(
        action,
        "createJob",
        flow.name() + "/" + createResult.id(),
        null,
        StrictJson.write(createResult));
    return new ApiResponse.Json(201, createResult);
  }

  private static NewJob job(JsonFields body) {
    Map<String, JsonNode> fields = body.members("fields", MAX_FIELDS);
    NewJob job = NewJob.of(fields);
    Long delay = body.optionalNumber("delaySeconds", 0, MAX_DELAY);
    Long priority = body.optionalNumber("priority", 0, MIN_URGENT);
    String unique = body.has("uniqueKey") ? body.text("uniqueKey", 1, MAX_ID) : null;
    String correlation = body.optionalText("correlationId", MAX_ID);
    if (delay != null) {
      job = job.delay(Duration.ofSeconds(delay));
    }
    if (priority != null) {
      job = job.priority(priority.intValue());
    }
    if (unique != null) {
      job = job.uniqueKey(unique);
    }
    return correlation == null ? job : job.correlationId(correlation);
  }

  ApiResponse delete(ApiRequest request) {
    FlowServices open = FlowQueueResource.requireServices(flowServices);
    String flow = FlowQueueResource.flow(request);
    String id = id(request);
    FlowRegistry flowRegistry = open.admin().registry();
    boolean deleted =
        flowRegistry.isChildQueue(flow)
            ? open.jobs().deleteChild(flow, id)
            : open.jobs().delete(flowRegistry.flow(flow), id);
    if (!deleted) {
      throw new JobNotFoundException(flow, id);
    }
    auditRecorder.record(OperatorAction.by(request.caller().actor()), "deleteJob", flow + "/" + id);
    return ApiResponse.empty();
  }

  private static String id(ApiRequest request) {
    return checked("id", request.path("id", MAX_ID));
  }

  /** Returns the id. Rejects a colon, which separates the parts of Redis keys. */
  static String checked(String field, String id) {
    if (id.isEmpty() || id.indexOf(':') >= 0) {
      throw ProblemException.invalid(
          field, "is no id of a job: it is empty or has a colon, which separates parts of keys.");
    }
    return id;
  }
}
