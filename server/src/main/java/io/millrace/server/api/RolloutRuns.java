package io.millrace.server.api;

import io.millrace.continuous.Rollout;
import io.millrace.continuous.RolloutRequest;
import io.millrace.continuous.Rollouts;
import io.millrace.instance.Deed;
import io.millrace.instance.StopReason;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.Fields;
import io.millrace.server.http.Route;
import io.millrace.store.AuditStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Rollouts and recycles of the nodes of this server's group. */
final class RolloutRuns {

  private static final int MOST_NODES = 1000;
  private static final int NODE = 255;
  private static final long DAY = Duration.ofDays(1).toSeconds();
  private static final long LONGEST_PATIENCE = Duration.ofDays(7).toSeconds();
  private static final int SHOWN = 50;

  private static final String TYPE = "millrace-rollout";

  private final Rollouts rollouts;
  private final Sources sources;

  RolloutRuns(Sources sources) {
    this.sources = sources;
    this.rollouts = sources.engine().nodes().rollouts();
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
      Rollout.Current current = one.progress().current();
      return new RolloutView(
          one.id(),
          code(one.reason()),
          code(one.phase()),
          one.nodes(),
          one.done(),
          current == null ? null : NodeView.of(current),
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
      String step,
      @Nullable Instant since,
      @Nullable Instant deadline,
      int held) {

    static NodeView of(Rollout.Current one) {
      return new NodeView(
          one.node(), one.executorId(), code(one.step()), one.since(), one.deadline(), one.held());
    }
  }

  private static String code(Enum<?> one) {
    return one.name().toLowerCase(Locale.ROOT);
  }

  /** What is done to one rollout. */
  @FunctionalInterface
  interface Steering {
    void apply(Rollouts rollouts, long id, Deed deed);
  }

  Answer list(Call call) {
    return Answer.json(rollouts.list(SHOWN).stream().map(RolloutView::of).toList());
  }

  Answer get(Call call) {
    return Answer.json(RolloutView.of(rollouts.get(call.id())));
  }

  Answer start(Call call) throws IOException {
    Fields body =
        call.body(
            "nodes", "recycle", "graceSeconds", "minReadySeconds", "patienceSeconds", "reason");
    RolloutRequest usual = RolloutRequest.all();
    RolloutRequest request =
        new RolloutRequest(
            body.flag("recycle") ? StopReason.RECYCLE : StopReason.ROLLOUT,
            body.texts("nodes", MOST_NODES, NODE),
            seconds(body, "graceSeconds", 0, DAY),
            orElse(seconds(body, "minReadySeconds", 0, DAY), usual.minReady()),
            orElse(seconds(body, "patienceSeconds", 1, LONGEST_PATIENCE), usual.patience()));
    Deed deed = Deeds.by(call, body);
    long id = rollouts.start(request, deed);
    sources.operations().audit(entry(deed, id, request));
    sources.feed().instance(id, TYPE);
    return new Answer.Json(201, RolloutView.of(rollouts.get(id)));
  }

  private static AuditStore.Entry entry(Deed deed, long id, RolloutRequest request) {
    String what = code(request.reason());
    String nodes = request.nodes().isEmpty() ? "all nodes" : String.join(", ", request.nodes());
    return new AuditStore.Entry(
        deed.actor(), "startRollout", id, what + " of " + nodes, deed.reason(), null);
  }

  private static Duration orElse(@Nullable Duration given, Duration usual) {
    return given == null ? usual : given;
  }

  private static @Nullable Duration seconds(Fields body, String name, long least, long most) {
    Long seconds = body.optionalNumber(name, least, most);
    return seconds == null ? null : Duration.ofSeconds(seconds);
  }

  /** What is wanted is in the audit as a signal to the instance. */
  Route.Handler steer(Steering deed) {
    return call -> {
      deed.apply(rollouts, call.id(), Deeds.by(call, call.body("reason")));
      sources.feed().instance(call.id(), TYPE);
      return Answer.empty();
    };
  }
}
