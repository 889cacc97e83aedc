package io.millrace.redis.jobs;

import io.millrace.redis.connect.Redis;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.LuaScript;
import io.millrace.redis.wire.MillraceKeys;
import io.millrace.redis.wire.RedisDialect;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Deletes a job from all lists that may contain it, its children first. */
final class JobDeleter {

  private final Redis redis;
  private final RedisDialect dialect;
  private final JavaScriptJson texts;
  private final JobReader reader;

  JobDeleter(Redis redis, RedisDialect dialect, JavaScriptJson texts, JobReader reader) {
    this.redis = redis;
    this.dialect = dialect;
    this.texts = texts;
    this.reader = reader;
  }

  boolean delete(Flow flow, String id) {
    Optional<JobView> job = reader.get(flow.name(), id);
    job.ifPresent(this::deleteChildren);
    List<String> lookups =
        job.map(view -> JobDraft.lookups(flow, view.fields(), dialect, texts)).orElse(List.of());
    List<String> queues = flow.queues().stream().map(Queue::name).toList();
    return delete(flow.name(), id, queues, job.map(this::priority).orElse(1), lookups);
  }

  /** Deletes a child job, whose flow is its queue. */
  boolean deleteChild(String queue, String id) {
    Optional<JobView> job = reader.get(queue, id);
    job.ifPresent(this::deleteChildren);
    return delete(queue, id, List.of(queue), job.map(this::priority).orElse(1), List.of());
  }

  private void deleteChildren(JobView parent) {
    for (JobView child : parent.children()) {
      deleteChildren(child);
      delete(child.flow(), child.id(), List.of(child.flow()), priority(child), List.of());
    }
  }

  private int priority(JobView job) {
    var value = job.fields().get("priority");
    return value != null && value.isInt() ? value.intValue() : 1;
  }

  private boolean delete(
      String flow, String id, List<String> queues, int priority, List<String> lookups) {
    String entry = dialect.entry(flow, id);
    List<String> lists = new ArrayList<>();
    List<String> sets = new ArrayList<>();
    List<String> locks = new ArrayList<>();
    for (String queue : queues) {
      lists.add(dialect.waiting(queue, priority));
      lists.add(dialect.processing(queue, priority));
      sets.add(dialect.delayed(queue, priority));
      sets.add(MillraceKeys.dead(queue));
      locks.add(dialect.lock(queue, entry));
    }
    List<String> keys = new ArrayList<>();
    keys.add(dialect.job(flow, id));
    keys.add(MillraceKeys.meta(flow, id));
    keys.addAll(lists);
    keys.addAll(sets);
    keys.addAll(locks);
    keys.addAll(lookups);
    Object reply =
        redis.run(
            LuaScript.DELETE,
            keys,
            List.of(
                entry,
                Integer.toString(lists.size()),
                Integer.toString(sets.size()),
                Integer.toString(locks.size())));
    return Long.valueOf(1).equals(reply);
  }
}
