package io.millrace.server.api;

import io.millrace.instance.Deed;
import io.millrace.redis.admin.JobList;
import io.millrace.redis.admin.QueueView;
import io.millrace.redis.admin.Requeued;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.connect.RedisUnavailableException;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.Fields;
import io.millrace.server.http.Json;
import io.millrace.server.http.Param;
import io.millrace.server.http.ProblemException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The Redis flows and their queues. */
final class FlowQueues {

  static final Param<JobList> LIST =
      Param.choice(
          "list",
          Param.codes(JobList.values(), list -> list.name().toLowerCase(Locale.ROOT)),
          JobList.WAITING);

  /** Of a flow or a queue; a child's has those of its parents, too. */
  private static final int NAME = 401;

  private static final int MOST_IDS = 1_000;
  private static final int LONGEST_ID = 200;
  private static final Duration AGE = Duration.ofSeconds(1);

  private final Trail trail;
  private final @Nullable FlowDesk desk;
  private final Cached<FlowViews.Flows> all;

  FlowQueues(Sources sources, @Nullable FlowDesk desk) {
    this.trail = new Trail(sources);
    this.desk = desk;
    this.all = new Cached<>(sources.clock(), AGE, this::load);
  }

  Answer list(Call call) {
    return Answer.json(desk == null ? FlowViews.Flows.NOT_CONFIGURED : all.get());
  }

  private FlowViews.Flows load() {
    try {
      return FlowViews.Flows.of(desk(desk).admin().flows());
    } catch (RedisUnavailableException | RedisReplyException e) {
      return FlowViews.Flows.away(String.valueOf(e.getMessage()));
    }
  }

  /** What there is, or the answer to those who ask where there is nothing. */
  static FlowDesk desk(@Nullable FlowDesk desk) {
    if (desk == null) {
      throw ProblemException.notFound(
          "This server has no Redis, and so no flows. Set redis.uri to have some.");
    }
    return desk;
  }

  /** The flow in the path. */
  static String flow(Call call) {
    return call.path("flow", NAME);
  }

  private static String queue(Call call) {
    return call.path("queue", NAME);
  }

  Answer jobs(Call call) {
    return Answer.json(
        FlowViews.Page.of(
            desk(desk)
                .admin()
                .jobs(
                    flow(call),
                    queue(call),
                    call.get(LIST),
                    call.get(Instances.LIMIT),
                    call.find(Instances.CURSOR))));
  }

  Answer pause(Call call) throws IOException {
    Deed by = Deeds.by(call, call.body("reason"));
    QueueView view = desk(desk).admin().pause(flow(call), queue(call), by.actor(), by.reason());
    return done(call, by, "pauseQueue", view);
  }

  Answer resume(Call call) throws IOException {
    Deed by = Deeds.by(call, call.body("reason"));
    return done(call, by, "resumeQueue", desk(desk).admin().resume(flow(call), queue(call)));
  }

  private Answer done(Call call, Deed by, String action, QueueView view) {
    all.forget();
    trail.done(by, action, flow(call) + "/" + queue(call));
    return Answer.json(FlowViews.Queue.of(view));
  }

  Answer requeue(Call call) throws IOException {
    Fields body = call.body("ids", "reason");
    Deed by = Deeds.by(call, body);
    List<String> ids = body.texts("ids", MOST_IDS, LONGEST_ID);
    ids.forEach(id -> FlowJobs.checked("ids", id));
    if (body.has("ids") && ids.isEmpty()) {
      throw ProblemException.invalid("ids", "is empty; name some, or leave it out for all.");
    }
    Requeued requeued = desk(desk).admin().requeue(flow(call), queue(call), ids);
    all.forget();
    trail.done(by, "requeueJobs", flow(call) + "/" + queue(call), null, Json.write(requeued));
    return Answer.json(requeued);
  }
}
