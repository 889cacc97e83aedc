package io.millrace.redis.work;

import io.millrace.codec.CodecException;
import io.millrace.instance.InvalidRequestException;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.IntervalThrottle;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.LuaScript;
import io.millrace.redis.wire.ProtocolKeys;
import io.millrace.redis.wire.UuidV7Generator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Processor of a queue of parents, which creates the children of each parent once. Thread-safe. */
final class ChildSpawner implements QueueWorker.JobProcessor {

  private static final Logger LOG = LoggerFactory.getLogger(ChildSpawner.class);

  private final Redis redis;
  private final JavaScriptJson json;
  private final QueueKeys queueKeys;
  private final UuidV7Generator ids;
  private final JobOutcomeMapper jobOutcomeMapper;
  private final IntervalThrottle warningThrottle;

  ChildSpawner(QueueRuntime queueRuntime) {
    this.redis = queueRuntime.context().redis();
    this.json = queueRuntime.context().json();
    this.queueKeys = queueRuntime.queueKeys();
    EngineRuntime runtime = queueRuntime.context().runtime();
    this.ids = new UuidV7Generator(runtime.clock(), runtime.random());
    this.jobOutcomeMapper = queueRuntime.jobOutcomeMapper();
    this.warningThrottle = queueRuntime.warningThrottle();
  }

  @Override
  public JobOutcome process(String worker, LeasedJob job) {
    try {
      List<String> children = children(worker, job.leased());
      if (children == null) {
        return new JobOutcome.Discarded(LeasedJob.StopCause.LOST);
      }
      return children.isEmpty()
          ? jobOutcomeMapper.completed(JobResult.completed())
          : new JobOutcome.AwaitChildren(children);
    } catch (InvalidRequestException | CodecException e) {
      return jobOutcomeMapper.ofFailure(e, job);
    }
  }

  /** Returns the keys of the children's hashes; null when the worker has lost the lock. */
  private @Nullable List<String> children(String worker, LeaseResult.Leased parent) {
    String paramsField = ProtocolKeys.childrenParams(queueKeys.name());
    String keysField = ProtocolKeys.childrenJobs(queueKeys.name());
    String job = queueKeys.job(parent.id());
    List<@Nullable String> fields =
        RedisReplies.texts(RedisReplies.need(redis.call("HMGET", job, paramsField, keysField)));
    List<String> existing = keys(fields.get(1));
    if (!existing.isEmpty()) {
      return existing;
    }
    ChildJobs childJobs = ChildJobs.read(json, queueKeys, fields.get(0), ids::next);
    if (childJobs.nameless() > 0 && warningThrottle.permits()) {
      LOG.warn(
          "Job {} of queue {} wants {} children without a childName: they are not created",
          parent.id(),
          queueKeys.name(),
          childJobs.nameless());
    }
    return childJobs.children().isEmpty() ? List.of() : spawn(worker, parent, childJobs, keysField);
  }

  private @Nullable List<String> spawn(
      String worker, LeaseResult.Leased parent, ChildJobs childJobs, String keysField) {
    List<String> keys = new ArrayList<>();
    keys.add(queueKeys.lock(parent.id()));
    keys.add(queueKeys.job(parent.id()));
    List<String> arguments = new ArrayList<>();
    arguments.add(worker);
    arguments.add(keysField);
    arguments.add(childJobs.keys(json));
    arguments.add(Long.toString(queueKeys.secondsToLive()));
    for (ChildJobs.Child child : childJobs.children()) {
      keys.add(child.key());
      keys.add(ProtocolKeys.waiting(child.flow()));
      arguments.add(child.id());
      arguments.add(Integer.toString(child.fields().size()));
      arguments.addAll(child.fields());
    }
    List<?> answer = (List<?>) RedisReplies.need(redis.run(LuaScript.SPAWN, keys, arguments));
    return switch (RedisReplies.text(answer.getFirst())) {
      case "OK", "ALREADY_CREATED" -> keys(RedisReplies.text(answer.get(1)));
      case "GONE" -> List.of();
      default -> null;
    };
  }

  private List<String> keys(@Nullable String text) {
    String field = "Field '" + ProtocolKeys.childrenJobs(queueKeys.name()) + "'";
    return text == null
        ? List.of()
        : JobFields.read(json, field, text, String[].class).map(List::of).orElse(List.of());
  }
}
