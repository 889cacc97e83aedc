package io.millrace.redis.jobs;

import io.millrace.codec.CodecException;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.RedisDialect;
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

  /** So many are read at a time, for the server keeps their replies in memory. */
  private static final int BATCH = 500;

  /** No real tree is as high; one that names itself as its own child is. */
  private static final int HIGHEST = 20;

  private final Redis redis;
  private final RedisDialect redisDialect;
  private final JavaScriptJson texts;

  JobReader(Redis redis, RedisDialect redisDialect, JavaScriptJson texts) {
    this.redis = redis;
    this.redisDialect = redisDialect;
    this.texts = texts;
  }

  /** A job by its flow and id. */
  record JobRef(String flow, String id) {}

  Optional<JobView> get(String flow, String id) {
    List<?> pairs = list(redis.call("HGETALL", redisDialect.job(flow, id)));
    return pairs.isEmpty()
        ? Optional.empty()
        : Optional.of(withChildren(List.of(view(new JobRef(flow, id), pairs)), 1).getFirst());
  }

  /** Reads the list page by page, for the server keeps what it answers in memory. */
  List<JobView> find(String flow, String lookup, boolean children) {
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
      // Those that are gone have just been taken out of the list.
      at += page.stream().filter(entry -> ids.contains(idOf((String) entry))).count();
    } while (page.size() == BATCH);
    List<JobView> all = List.copyOf(found.values());
    return children ? withChildren(all, 1) : all;
  }

  /** A page of these, from the end of the list. */
  JobStore.FoundJobs newest(String flow, String lookup, int limit, long skip) {
    List<?> last =
        list(
            redis.call(
                "LRANGE", lookup, Long.toString(-1 - skip - limit), Long.toString(-1 - skip)));
    boolean more = last.size() > limit;
    List<?> page = more ? last.subList(1, last.size()) : last;
    List<JobView> found = living(flow, lookup, page);
    // Those that were taken out of the list do not count any more.
    int gone = new HashSet<>(page).size() - found.size();
    return new JobStore.FoundJobs(found.reversed(), more ? skip + limit - gone : null);
  }

  /** The jobs of a lookup list, each once; those that are gone are taken out of the list. */
  private List<JobView> living(String flow, String lookup, List<?> listed) {
    Set<String> entries = new LinkedHashSet<>();
    listed.forEach(entry -> entries.add((String) entry));
    List<JobView> found = new ArrayList<>();
    List<List<String>> dead = new ArrayList<>();
    List<JobRef> refs = entries.stream().map(entry -> new JobRef(flow, idOf(entry))).toList();
    for (JobView job : read(refs)) {
      if (isGone(job)) {
        dead.add(List.of("LREM", lookup, "0", redisDialect.entry(flow, job.id())));
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

  /** In their order, without children; without fields where there is no such job. */
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
        batch.forEach(job -> views.add(readAlone(job))); // one of them is no hash
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
    return redisDialect.job(job.flow(), job.id());
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

  /** Those that a parent names by their keys, each once; what is no key is passed over. */
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

  /** With or without the begin that all keys of jobs have. */
  private static Optional<JobRef> child(JsonNode key) {
    String text = key.isString() ? key.stringValue() : "";
    String bare = text.startsWith(JOB) ? text.substring(JOB.length()) : text;
    int colon = bare.lastIndexOf(':');
    return colon <= 0
        ? Optional.empty()
        : Optional.of(new JobRef(bare.substring(0, colon), bare.substring(colon + 1)));
  }
}
