package io.millrace.redis.jobs;

import io.millrace.redis.connect.Redis;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.LuaScript;
import io.millrace.redis.wire.MillraceKeys;
import io.millrace.redis.wire.ProtocolKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Deletes a job from all lists that may contain it, its children first. */
final class JobDeleter {

  private final Redis redis;
  private final JavaScriptJson texts;
  private final JobReader reader;

  JobDeleter(Redis redis, JavaScriptJson texts, JobReader reader) {
    this.redis = redis;
    this.texts = texts;
    this.reader = reader;
  }

  boolean delete(Flow flow, String id) {
    Optional<JobView> job = reader.find(flow.name(), id);
    job.ifPresent(this::deleteChildren);
    List<String> lookups =
        job.map(view -> JobDraft.lookups(flow, view.fields(), texts)).orElse(List.of());
    List<String> queues = flow.queues().stream().map(Queue::name).toList();
    return delete(flow.name(), id, queues, lookups);
  }

  /** Deletes a child job, whose flow is its queue. */
  boolean deleteChild(String queue, String id) {
    Optional<JobView> job = reader.find(queue, id);
    job.ifPresent(this::deleteChildren);
    return delete(queue, id, List.of(queue), List.of());
  }

  private void deleteChildren(JobView parent) {
    for (JobView child : parent.children()) {
      deleteChildren(child);
      delete(child.flow(), child.id(), List.of(child.flow()), List.of());
    }
  }

  private boolean delete(String flow, String id, List<String> queues, List<String> lookups) {
    List<String> lists = new ArrayList<>();
    List<String> sets = new ArrayList<>();
    List<String> locks = new ArrayList<>();
    for (String queue : queues) {
      lists.add(ProtocolKeys.waiting(queue));
      lists.add(ProtocolKeys.processing(queue));
      sets.add(MillraceKeys.delayed(queue));
      sets.add(MillraceKeys.dead(queue));
      locks.add(ProtocolKeys.lock(queue, id));
    }
    List<String> keys = new ArrayList<>();
    keys.add(ProtocolKeys.job(flow, id));
    keys.add(MillraceKeys.metadata(flow, id));
    keys.addAll(lists);
    keys.addAll(sets);
    keys.addAll(locks);
    keys.addAll(lookups);
    Object reply =
        redis.run(
            LuaScript.DELETE,
            keys,
            List.of(
                id,
                Integer.toString(lists.size()),
                Integer.toString(sets.size()),
                Integer.toString(locks.size())));
    return Long.valueOf(1).equals(reply);
  }
}
