package io.millrace.server.api;

import io.millrace.instance.Deed;
import io.millrace.redis.admin.FlowAdmin;
import io.millrace.redis.admin.Place;
import io.millrace.redis.admin.Registry;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.jobs.JobView;
import io.millrace.redis.jobs.Jobs;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.Fields;
import io.millrace.server.http.Json;
import io.millrace.server.http.Param;
import io.millrace.server.http.ProblemException;
import io.millrace.server.security.SecretNames;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The jobs of Redis flows, by their ids and lookup attributes. */
final class FlowJobs {

  static final Param<String> ATTRIBUTE = Param.text("attribute", 200);
  static final Param<String> VALUE = Param.text("value", 4000);

  /** Where a job is costs a search through all lists of its flow. */
  static final Param<Integer> LIMIT = Param.number("limit", 1, 200, 50);

  static final Param<Integer> CURSOR = Param.number("cursor", 0, Integer.MAX_VALUE, 0);

  private static final int LONGEST_ID = 200;
  private static final int MOST_FIELDS = 1_000;
  private static final long LONGEST_DELAY = Duration.ofDays(365).toSeconds();
  private static final long LEAST_URGENT = 100;

  private final Trail trail;
  private final SecretNames secretNames;
  private final @Nullable FlowDesk desk;

  FlowJobs(Sources sources, @Nullable FlowDesk desk) {
    this.secretNames = sources.secretNames();
    this.trail = new Trail(sources);
    this.desk = desk;
  }

  Answer find(Call call) {
    FlowDesk open = FlowQueues.desk(desk);
    Flow flow = open.admin().registry().flow(FlowQueues.flow(call));
    String attribute = call.get(ATTRIBUTE);
    if (!flow.lookup().contains(attribute)) {
      throw ProblemException.invalid(
          "attribute",
          "is none by whose values jobs of this flow are found; "
              + (flow.lookup().isEmpty()
                  ? "it has none."
                  : "expected one of " + flow.lookup() + "."));
    }
    Jobs.Found found =
        open.jobs().newest(flow, attribute, call.get(VALUE), call.get(LIMIT), call.get(CURSOR));
    Long next = found.next();
    return Answer.json(
        new Page(views(open, found.jobs()), next == null ? null : String.valueOf(next)));
  }

  /** Schema Jobs. */
  private record Page(List<FlowJobView> items, @Nullable String next) {}

  Answer get(Call call) {
    FlowDesk open = FlowQueues.desk(desk);
    String flow = FlowQueues.flow(call);
    String id = id(call);
    JobView job = open.jobs().get(flow, id).orElseThrow(() -> missing(flow, id));
    return Answer.json(views(open, List.of(job)).getFirst());
  }

  private List<FlowJobView> views(FlowDesk desk, List<JobView> jobs) {
    List<FlowAdmin.Ref> refs = new ArrayList<>();
    jobs.forEach(job -> collect(job, refs));
    Iterator<Place> places = desk.admin().places(refs).iterator();
    return jobs.stream().map(job -> FlowJobView.of(job, places, secretNames)).toList();
  }

  /** In the order in which views take their places. */
  private static void collect(JobView job, List<FlowAdmin.Ref> refs) {
    refs.add(new FlowAdmin.Ref(job.flow(), job.id()));
    job.children().forEach(child -> collect(child, refs));
  }

  Answer create(Call call) throws IOException {
    Fields body =
        call.body("fields", "delaySeconds", "priority", "uniqueKey", "correlationId", "reason");
    if (!body.has("fields")) {
      throw ProblemException.invalid("fields", "is missing; expected a JSON object.");
    }
    Deed by = Deeds.by(call, body);
    NewJob job = job(body);
    FlowDesk open = FlowQueues.desk(desk);
    Flow flow = open.admin().registry().flow(FlowQueues.flow(call));
    Jobs.Made made = open.jobs().make(flow, job);
    trail.done(by, "createJob", flow.name() + "/" + made.id(), null, Json.write(made));
    return new Answer.Json(201, made);
  }

  private static NewJob job(Fields body) {
    Map<String, JsonNode> fields = body.members("fields", MOST_FIELDS);
    NewJob job = NewJob.of(fields);
    Long delay = body.optionalNumber("delaySeconds", 0, LONGEST_DELAY);
    Long priority = body.optionalNumber("priority", 0, LEAST_URGENT);
    String unique = body.has("uniqueKey") ? body.text("uniqueKey", 1, LONGEST_ID) : null;
    String correlation = body.optionalText("correlationId", LONGEST_ID);
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

  Answer delete(Call call) {
    FlowDesk open = FlowQueues.desk(desk);
    String flow = FlowQueues.flow(call);
    String id = id(call);
    Registry registry = open.admin().registry();
    boolean deleted =
        registry.isOfChildren(flow)
            ? open.jobs().deleteChild(flow, id)
            : open.jobs().delete(registry.flow(flow), id);
    if (!deleted) {
      throw missing(flow, id);
    }
    trail.done(Deed.by(call.caller().actor()), "deleteJob", flow + "/" + id);
    return Answer.empty();
  }

  private static String id(Call call) {
    return checked("id", call.path("id", LONGEST_ID));
  }

  /** Parts of keys are separated by colons, so an id with one would name something else. */
  static String checked(String field, String id) {
    if (id.isEmpty() || id.indexOf(':') >= 0) {
      throw ProblemException.invalid(
          field, "is no id of a job: it is empty or has a colon, which separates parts of keys.");
    }
    return id;
  }

  private static ProblemException missing(String flow, String id) {
    return ProblemException.notFound(
        "Flow '"
            + flow
            + "' has no job '"
            + id
            + "'; it may have been deleted, or forgotten by Redis.");
  }
}
