package io.millrace.redis.work;

import io.millrace.codec.CodecException;
import io.millrace.instance.InvalidRequestException;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.wire.Dialect;
import io.millrace.redis.wire.JsText;
import io.millrace.redis.wire.Script;
import io.millrace.redis.wire.Uuidv7;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The work of a queue of parents: makes the children of each, once. Thread-safe. */
final class Parenting implements QueueWorker.Step {

  private static final Logger LOG = LoggerFactory.getLogger(Parenting.class);

  private final Redis redis;
  private final JsText json;
  private final Lane lane;
  private final Uuidv7 ids;
  private final Verdicts verdicts;
  private final Warnings warnings;

  Parenting(Station station) {
    this.redis = station.setting().redis();
    this.json = station.setting().json();
    this.lane = station.lane();
    EngineRuntime runtime = station.setting().runtime();
    this.ids = new Uuidv7(runtime.clock(), runtime.random());
    this.verdicts = station.verdicts();
    this.warnings = station.warnings();
  }

  @Override
  public Verdict of(String worker, LeasedJob view, Held job) {
    try {
      List<String> children = children(worker, job.leased());
      if (children == null) {
        return new Verdict.Nothing(Held.Stop.LOST);
      }
      return children.isEmpty()
          ? verdicts.completed(JobResult.completed())
          : new Verdict.Parked(children);
    } catch (InvalidRequestException | CodecException e) {
      return verdicts.of(e, job);
    }
  }

  /** The keys of their hashes; null when the lock is not the worker's. */
  private @Nullable List<String> children(String worker, Taken.Leased parent) {
    String paramsField = Dialect.childrenParams(lane.name());
    String keysField = Dialect.childrenJobs(lane.name());
    String job = lane.job(parent.entry());
    List<@Nullable String> fields =
        Replies.texts(
            Replies.need(
                redis.call("HMGET", job, paramsField, keysField, "priority", "correlationId")));
    List<String> made = keys(fields.get(1));
    if (!made.isEmpty()) {
      return made;
    }
    Children children =
        Children.read(
            json,
            lane,
            fields.get(0),
            new Children.Inherited(
                level(fields.get(2)), fields.get(3) == null ? "null" : fields.get(3)),
            ids::next);
    if (children.nameless() > 0 && warnings.permits()) {
      LOG.warn(
          "Job {} of queue {} wants {} children without a childName: they are not made",
          parent.entry(),
          lane.name(),
          children.nameless());
    }
    return children.made().isEmpty() ? List.of() : spawn(worker, parent, children, keysField);
  }

  /** Of a parent that does not tell: the most urgent. */
  private static int level(@Nullable String priority) {
    return (int) Math.max(1, Replies.number(priority));
  }

  private @Nullable List<String> spawn(
      String worker, Taken.Leased parent, Children children, String keysField) {
    Dialect dialect = lane.dialect();
    List<String> keys = new ArrayList<>();
    keys.add(lane.lock(parent.entry()));
    keys.add(lane.job(parent.entry()));
    List<String> arguments = new ArrayList<>();
    arguments.add(worker);
    arguments.add(keysField);
    arguments.add(children.keys(json, dialect));
    arguments.add(Long.toString(lane.targets().secondsToLive()));
    for (Children.Child child : children.made()) {
      keys.add(child.key(dialect));
      keys.add(dialect.waiting(child.flow(), child.level()));
      arguments.add(dialect.entry(child.flow(), child.id()));
      arguments.add(Integer.toString(child.fields().size()));
      arguments.addAll(child.fields());
    }
    List<?> answer = (List<?>) Replies.need(redis.run(Script.SPAWN, keys, arguments));
    return switch (Replies.text(answer.getFirst())) {
      case "OK", "MADE" -> keys(Replies.text(answer.get(1)));
      case "GONE" -> List.of();
      default -> null;
    };
  }

  private List<String> keys(@Nullable String text) {
    String field = "Field '" + Dialect.childrenJobs(lane.name()) + "'";
    return text == null
        ? List.of()
        : Json.read(json, field, text, String[].class).map(List::of).orElse(List.of());
  }
}
