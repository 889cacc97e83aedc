package io.millrace.server.api;

import io.millrace.continuous.ContinuousWorkflows;
import io.millrace.instance.Deed;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.Fields;
import io.millrace.server.http.Param;
import io.millrace.server.http.ProblemException;
import io.millrace.server.http.Route;
import io.millrace.store.AlwaysOn;
import io.millrace.store.AlwaysOnStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Continuous workflows: what they do, and what people have them do. */
final class AlwaysOnWorkflows {

  static final Param<String> GROUP = Param.text("group", Filters.NAME);
  static final Param<AlwaysOn.Desired> DESIRED = Param.choice("desired", desired(), null);
  static final Param<Long> EXECUTOR = Param.id("executor");
  static final Param<String> TEXT = Param.text("text", AlwaysOnWorkflows.NAME);
  static final Param<Boolean> TROUBLED =
      Param.choice("troubled", Map.of("true", true, "false", false), false);
  static final Param<String> AFTER = Param.text("after", AlwaysOnWorkflows.NAME);
  static final Param<Long> BEFORE = Param.id("before");

  private static final int NAME = 200;
  private static final Duration DAY = Duration.ofDays(1);

  private final Sources sources;
  private final ContinuousWorkflows workflows;

  AlwaysOnWorkflows(Sources sources) {
    this.sources = sources;
    this.workflows = sources.engine().continuous();
  }

  private static Map<String, AlwaysOn.Desired> desired() {
    return Map.of("on", AlwaysOn.Desired.ON, "off", AlwaysOn.Desired.OFF);
  }

  /** Schema AlwaysOnPage. */
  record AlwaysOnPage(List<AlwaysOnView> items, @Nullable String next) {}

  /** Schema AlwaysOnDetail. */
  record AlwaysOnDetail(AlwaysOnView workflow, List<String> unmet, long downtimeMs) {}

  Answer list(Call call) {
    int limit = call.get(Instances.LIMIT);
    List<AlwaysOn> found =
        workflows.list(
            new AlwaysOnStore.Filter(
                call.find(GROUP),
                call.find(DESIRED),
                call.find(EXECUTOR),
                call.find(TEXT),
                call.get(TROUBLED)),
            call.find(AFTER),
            limit);
    String next = found.size() < limit ? null : found.getLast().name();
    return Answer.json(
        new AlwaysOnPage(
            found.stream().map(one -> AlwaysOnView.of(one, sources.secretNames())).toList(), next));
  }

  Answer get(Call call) {
    String name = name(call);
    AlwaysOn found = workflows.get(name);
    return Answer.json(
        new AlwaysOnDetail(
            AlwaysOnView.of(found, sources.secretNames()),
            workflows.unmet(name).stream().map(unmet -> unmet.text()).toList(),
            workflows.downtime(name, DAY).toMillis()));
  }

  Answer events(Call call) {
    String name = name(call);
    workflows.get(name);
    return Answer.json(
        workflows.events(name, call.find(BEFORE), call.get(Instances.LIMIT)).stream()
            .map(event -> AlwaysOnView.EventView.of(event, sources.secretNames()))
            .toList());
  }

  Answer desire(Call call) throws IOException {
    Fields body = call.body("desired", "reason");
    AlwaysOn.Desired desired = body.choice("desired", desired());
    Deed deed = Deeds.by(call, body);
    if (desired == AlwaysOn.Desired.ON) {
      workflows.switchOn(name(call), deed);
    } else {
      workflows.switchOff(name(call), deed);
    }
    return Answer.empty();
  }

  /** A deed that needs nothing but a reason. */
  @FunctionalInterface
  interface Simple {
    void apply(ContinuousWorkflows workflows, String name, Deed deed);
  }

  Route.Handler simple(Simple deed) {
    return call -> {
      deed.apply(workflows, name(call), Deeds.by(call, call.body("reason")));
      return Answer.empty();
    };
  }

  Answer endDebug(Call call) {
    workflows.endDebug(name(call), Deed.by(call.caller().actor()));
    return Answer.empty();
  }

  Answer move(Call call) throws IOException {
    Fields body = call.body("executor", "reason");
    Long executor = body.optionalNumber("executor", 1, Long.MAX_VALUE);
    if (executor == null) {
      throw ProblemException.invalid("executor", "is missing; expected the id of an executor.");
    }
    workflows.move(name(call), executor, Deeds.by(call, body));
    return Answer.empty();
  }

  record RunStarted(long id) {}

  Answer run(Call call) throws IOException {
    Fields body = call.body("payload", "debug", "reason");
    JsonNode payload = body.any("payload");
    if (payload == null) {
      throw ProblemException.invalid("payload", "is missing; expected what an event would bring.");
    }
    Deed deed = Deeds.by(call, body);
    long id =
        body.flag("debug")
            ? workflows.runToDebug(name(call), payload, deed)
            : workflows.runNow(name(call), payload, deed);
    sources.feed().instance(id);
    return new Answer.Json(201, new RunStarted(id));
  }

  record Offered(String result, String key) {}

  /** An event from outside; without a key of its own it is taken for a new one each time. */
  Answer offer(Call call) throws IOException {
    String given = call.find(Starts.IDEMPOTENCY_KEY);
    String key = given == null ? UUID.randomUUID().toString() : given;
    JsonNode payload = call.bodyNode();
    if (payload == null) {
      throw ProblemException.invalid("body", "is empty; expected the event as JSON.");
    }
    AlwaysOnStore.OfferResult result = workflows.offer(name(call), key, payload);
    return new Answer.Json(
        202, new Offered(result == AlwaysOnStore.OfferResult.KNOWN ? "known" : "kept", key));
  }

  private static String name(Call call) {
    return call.path("name", NAME);
  }
}
