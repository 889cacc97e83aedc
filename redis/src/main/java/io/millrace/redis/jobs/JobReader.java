package io.millrace.redis.jobs;

import io.millrace.codec.CodecException;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.ProtocolKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads jobs, and their children level by level, each level in one round trip. */
final class JobReader {

  private static final Pattern CHILDREN = Pattern.compile("children:.*:jobs");
  private static final String JOB = "job:";

  /**
   * Number of jobs read at a time. It is limited because the server keeps the replies in memory.
   */
  private static final int BATCH = 500;

  /**
   * Upper limit of the levels of children. Real trees are lower; a job that names itself as child
   * is not.
   */
  private static final int HIGHEST = 20;

  private final Redis redis;
  private final JavaScriptJson texts;

  JobReader(Redis redis, JavaScriptJson texts) {
    this.redis = redis;
    this.texts = texts;
  }

  /** A job by its flow and id. */
  record JobRef(String flow, String id) {}

  Optional<JobView> find(String flow, String id) {
    List<?> pairs = list(redis.call("HGETALL", ProtocolKeys.job(flow, id)));
    return pairs.isEmpty()
        ? Optional.empty()
        : Optional.of(withChildren(List.of(view(new JobRef(flow, id), pairs)), 1).getFirst());
  }

  /** Finds jobs page by page, because the server keeps its replies in memory. */
  List<JobView> findBy(String flow, String lookup, boolean children) {
    Map<String, JobView> found = new LinkedHashMap<>();
    List<?> page;
    long at = 0;
    do {
      page = list(redis.call("LRANGE", lookup, Long.toString(at), Long.toString(at + BATCH - 1)));
      List<JobView> jobs = living(flow, lookup, page);
      Set<String> ids = new HashSet<>();
      for (JobView job : jobs) {
        ids.add(job.id());
        found.putIfAbsent(job.id(), job);
      }
      // Jobs that do not exist any more have just been removed from the list.
      at += page.stream().filter(entry -> ids.contains(idOf((String) entry))).count();
    } while (page.size() == BATCH);
    List<JobView> all = List.copyOf(found.values());
    return children ? withChildren(all, 1) : all;
  }

  /** Returns a page of these jobs, from the end of the list. */
  JobStore.FoundJobs newest(String flow, String lookup, int limit, long skip) {
    List<?> last =
        list(
            redis.call(
                "LRANGE", lookup, Long.toString(-1 - skip - limit), Long.toString(-1 - skip)));
    boolean more = last.size() > limit;
    List<?> page = more ? last.subList(1, last.size()) : last;
    List<JobView> found = living(flow, lookup, page);
    // Jobs that were removed from the list no longer count.
    int gone = new HashSet<>(page).size() - found.size();
    return new JobStore.FoundJobs(found.reversed(), more ? skip + limit - gone : null);
  }

  /**
   * Returns the jobs of a lookup list, each once, and removes entries whose job does not exist any
   * more.
   */
  private List<JobView> living(String flow, String lookup, List<?> listed) {
    Set<String> entries = new LinkedHashSet<>();
    listed.forEach(entry -> entries.add((String) entry));
    List<JobView> found = new ArrayList<>();
    List<List<String>> dead = new ArrayList<>();
    List<JobRef> refs = entries.stream().map(entry -> new JobRef(flow, idOf(entry))).toList();
    for (JobView job : read(refs)) {
      if (isGone(job)) {
        dead.add(List.of("LREM", lookup, "0", job.id()));
      } else {
        found.add(job);
      }
    }
    if (!dead.isEmpty()) {
      redis.pipelined(dead);
    }
    return found;
  }

  static List<?> list(@Nullable Object reply) {
    return reply instanceof List<?> list ? list : List.of();
  }

  static boolean isGone(JobView job) {
    return job.fields().isEmpty() && job.unreadable().isEmpty();
  }

  private static String idOf(String entry) {
    return entry.substring(entry.lastIndexOf(':') + 1);
  }

  /** Returns the jobs in their order, without children; a job that does not exist has no fields. */
  private List<JobView> read(List<JobRef> jobs) {
    List<JobView> views = new ArrayList<>(jobs.size());
    for (int from = 0; from < jobs.size(); from += BATCH) {
      List<JobRef> batch = jobs.subList(from, Math.min(jobs.size(), from + BATCH));
      try {
        List<@Nullable Object> replies =
            redis.pipelined(batch.stream().map(job -> List.of("HGETALL", key(job))).toList());
        for (int i = 0; i < batch.size(); i++) {
          views.add(view(batch.get(i), list(replies.get(i))));
        }
      } catch (RedisReplyException e) {
        batch.forEach(job -> views.add(readAlone(job))); // one of them is not a hash
      }
    }
    return views;
  }

  private JobView readAlone(JobRef job) {
    try {
      return view(job, list(redis.call("HGETALL", key(job))));
    } catch (RedisReplyException e) {
      return new JobView(
          job.flow(),
          job.id(),
          new TreeMap<>(),
          Map.of(key(job), String.valueOf(e.getMessage())),
          List.of());
    }
  }

  private String key(JobRef job) {
    return ProtocolKeys.job(job.flow(), job.id());
  }

  private JobView view(JobRef job, List<?> pairs) {
    TreeMap<String, JsonNode> fields = new TreeMap<>();
    TreeMap<String, String> unreadable = new TreeMap<>();
    for (int i = 0; i + 1 < pairs.size(); i += 2) {
      String name = (String) pairs.get(i);
      String text = (String) pairs.get(i + 1);
      try {
        fields.put(name, texts.read(text));
      } catch (CodecException e) {
        unreadable.put(name, text);
      }
    }
    return new JobView(job.flow(), job.id(), fields, unreadable, List.of());
  }

  private List<JobView> withChildren(List<JobView> parents, int height) {
    Set<JobRef> all = new LinkedHashSet<>();
    parents.forEach(parent -> all.addAll(children(parent)));
    if (all.isEmpty() || height > HIGHEST) {
      return parents;
    }
    Map<JobRef, JobView> read = new HashMap<>();
    withChildren(read(List.copyOf(all)), height + 1)
        .forEach(child -> read.put(new JobRef(child.flow(), child.id()), child));
    return parents.stream()
        .map(parent ->
            new JobView(
                parent.flow(),
                parent.id(),
                parent.fields(),
                parent.unreadable(),
                children(parent).stream().map(read::get).toList()))
        .toList();
  }

  /**
   * Returns the children that a parent names by their keys, each once; a value that is not a key is
   * skipped.
   */
  static List<JobRef> children(JobView parent) {
    Set<JobRef> refs = new LinkedHashSet<>();
    parent
        .fields()
        .forEach((name, value) -> {
          if (CHILDREN.matcher(name).matches() && value.isArray()) {
            value.forEach(key -> child(key).ifPresent(refs::add));
          }
        });
    return List.copyOf(refs);
  }

  /** Returns the child of a key, with or without the prefix of job keys. */
  private static Optional<JobRef> child(JsonNode key) {
    String text = key.isString() ? key.stringValue() : "";
    String bare = text.startsWith(JOB) ? text.substring(JOB.length()) : text;
    int colon = bare.lastIndexOf(':');
    return colon <= 0
        ? Optional.empty()
        : Optional.of(new JobRef(bare.substring(0, colon), bare.substring(colon + 1)));
  }
}
