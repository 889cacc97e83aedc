package io.millrace.redis.jobs;

import io.millrace.codec.CodecException;
import io.millrace.instance.InvalidRequestException;
import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.Loop;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.connect.RedisUnavailableException;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowJson;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.LuaScript;
import io.millrace.redis.wire.MillraceKeys;
import io.millrace.redis.wire.ProtocolKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A loop that renews the time to live of all jobs that a queue still needs: those that wait, are
 * delayed, dead or in processing. It covers all registered flows, also those without a worker. Each
 * tick reads at most one page of each queue. All processes share one round, whose state is in
 * Redis.
 */
public final class JobTtlRenewer implements Loop.Work {

  static final int PAGE = 500;

  private static final Logger LOG = LoggerFactory.getLogger(JobTtlRenewer.class);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(2);
  private static final Duration MIN_PAUSE = Duration.ofMillis(10);
  private static final long WARNING_INTERVAL = Duration.ofMinutes(1).toNanos();
  private static final long MAX_ROUND = Duration.ofHours(1).toMillis();
  private static final long MIN_ROUND = 100;
  private static final int ROUNDS = 8;

  private final Redis redis;
  private final JavaScriptJson texts;
  private final EngineClock clock;

  /**
   * Earliest time of the next page by the key of the state, so that only due queues cost a call.
   */
  private final Map<String, Long> due = new HashMap<>();

  private long nextWarning;

  /**
   * Creates a loop for all flows that processes have registered.
   *
   * @param clock measures the time until the next page
   */
  public JobTtlRenewer(Redis redis, JavaScriptJson texts, EngineClock clock) {
    this.redis = redis;
    this.texts = texts;
    this.clock = clock;
    this.nextWarning = clock.nanoTime();
  }

  @Override
  public Duration tick() {
    Duration pause = MAX_PAUSE;
    try {
      List<RenewedQueue> queues = RenewedQueue.of(flows());
      due.keySet().retainAll(queues.stream().map(RenewedQueue::state).toList());
      for (RenewedQueue queue : queues) {
        Duration next = tick(queue);
        pause = next.compareTo(pause) < 0 ? next : pause;
      }
    } catch (RedisUnavailableException | RedisReplyException e) {
      warn("jobs", e);
    }
    return pause.compareTo(MIN_PAUSE) < 0 ? MIN_PAUSE : pause;
  }

  private List<Flow> flows() {
    List<?> pairs = JobReader.list(redis.call("HGETALL", MillraceKeys.flows()));
    Map<String, Flow> flows = new TreeMap<>();
    for (int i = 0; i + 1 < pairs.size(); i += 2) {
      try {
        flows.put((String) pairs.get(i), FlowJson.read((String) pairs.get(i + 1)));
      } catch (InvalidRequestException e) {
        LOG.debug("The entry {} of {} is not a flow", pairs.get(i), MillraceKeys.flows(), e);
      }
    }
    return List.copyOf(flows.values());
  }

  private Duration tick(RenewedQueue queue) {
    long now = clock.nanoTime();
    long left = due.getOrDefault(queue.state(), now) - now;
    if (left > 0) {
      return Duration.ofNanos(left);
    }
    Duration pause;
    try {
      pause = renew(queue);
    } catch (RedisReplyException e) {
      // A key of another type affects its own queue only.
      warn("jobs of queue " + queue.name(), e);
      pause = MAX_PAUSE;
    }
    due.put(queue.state(), clock.nanoTime() + pause.toNanos());
    return pause;
  }

  private Duration renew(RenewedQueue queue) {
    long seconds = queue.flow().timeToLive().toSeconds();
    long interval = Math.clamp(seconds * 1_000 / ROUNDS, MIN_ROUND, MAX_ROUND);
    List<String> keys = new ArrayList<>();
    keys.add(queue.state());
    keys.add(MillraceKeys.totals(queue.name()));
    keys.add(ProtocolKeys.waiting(queue.name()));
    int firstSet = keys.size() + 1;
    keys.add(MillraceKeys.delayed(queue.name()));
    keys.add(MillraceKeys.dead(queue.name()));
    int lastSet = keys.size();
    // Without a worker, an entry of a queue that two flows share does not tell whose job it is.
    int removable = queue.shared() ? 0 : keys.size();
    keys.add(ProtocolKeys.processing(queue.name()));
    List<?> reply =
        JobReader.list(
            redis.run(
                LuaScript.EXPIRING,
                keys,
                List.of(
                    MillraceKeys.queue(queue.name()),
                    ProtocolKeys.job(queue.jobFlow(), ""),
                    Integer.toString(PAGE),
                    Long.toString(seconds - seconds / 4),
                    Long.toString(interval),
                    Integer.toString(removable),
                    Integer.toString(firstSet),
                    Integer.toString(lastSet))));
    long removed = (Long) reply.get(1);
    if (removed > 0) {
      LOG.warn(
          "Removed {} entries of queue {} whose jobs have expired or were deleted; time to live={}",
          removed,
          queue.name(),
          queue.flow().timeToLive());
    }
    List<String> ids = reply.stream().skip(2).map(String::valueOf).toList();
    if (!ids.isEmpty()) {
      renew(queue, ids);
    }
    return Duration.ofMillis((Long) reply.get(0));
  }

  private void renew(RenewedQueue queue, List<String> ids) {
    List<String> keys =
        ids.stream().distinct().map(id -> ProtocolKeys.job(queue.jobFlow(), id)).toList();
    long seconds = queue.flow().timeToLive().toSeconds();
    List<String> lookup = queue.isOfChildren() ? List.of() : queue.flow().lookup();
    List<String> fields = new ArrayList<>(lookup);
    fields.addAll(queue.childFields());
    List<@Nullable Object> values = renewJobs(keys, seconds, fields);
    Set<String> lists = new LinkedHashSet<>();
    Set<String> children = new LinkedHashSet<>();
    for (int i = 0; i < values.size(); i++) {
      int field = i % fields.size();
      if (values.get(i) instanceof String text) {
        if (field < lookup.size()) {
          lists.addAll(lists(queue.flow(), lookup.get(field), text));
        } else {
          children.addAll(children(text));
        }
      }
    }
    inPages(List.copyOf(lists), page -> run(page, page, seconds, List.of()));
    renewChildren(children, seconds, queue.childFields());
  }

  /** Renews children, since the step after a parent reads them, possibly long after their end. */
  private void renewChildren(Set<String> children, long seconds, List<String> fields) {
    Set<String> known = new LinkedHashSet<>(children);
    Set<String> next = children;
    while (!next.isEmpty()) {
      Set<String> found = new LinkedHashSet<>();
      for (Object value : renewJobs(List.copyOf(next), seconds, fields)) {
        if (value instanceof String text) {
          found.addAll(children(text));
        }
      }
      found.removeIf(child -> !known.add(child));
      next = found;
    }
  }

  private List<@Nullable Object> renewJobs(List<String> keys, long seconds, List<String> fields) {
    List<@Nullable Object> values = new ArrayList<>();
    inPages(
        keys,
        page ->
            values.addAll(
                run(page, page.stream().map(MillraceKeys::metadataOf).toList(), seconds, fields)));
    return values;
  }

  private List<?> run(List<String> keys, List<String> others, long seconds, List<String> fields) {
    List<String> pairs = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      pairs.add(keys.get(i));
      pairs.add(others.get(i));
    }
    List<String> arguments = new ArrayList<>();
    arguments.add(Long.toString(seconds));
    arguments.addAll(fields);
    return JobReader.list(redis.run(LuaScript.RENEW_JOBS, pairs, arguments));
  }

  private static void inPages(List<String> keys, Consumer<List<String>> work) {
    for (int from = 0; from < keys.size(); from += PAGE) {
      work.accept(keys.subList(from, Math.min(keys.size(), from + PAGE)));
    }
  }

  private List<String> lists(Flow flow, String field, String text) {
    try {
      return texts.lookups(texts.read(text)).stream()
          .map(value -> ProtocolKeys.lookup(flow.name(), field, value))
          .toList();
    } catch (CodecException e) {
      return List.of(); // a field that is not JSON was never entered in a list
    }
  }

  /** Returns the keys of children; a field that does not hold a list of keys names none. */
  private List<String> children(String text) {
    try {
      String[] keys = texts.read(text, String[].class);
      List<String> children = new ArrayList<>();
      for (String key : keys == null ? new String[0] : keys) {
        if (key != null && key.startsWith("job:")) {
          children.add(key);
        }
      }
      return children;
    } catch (CodecException e) {
      return List.of();
    }
  }

  private void warn(String what, RuntimeException e) {
    long now = clock.nanoTime();
    if (now - nextWarning >= 0) {
      nextWarning = now + WARNING_INTERVAL;
      LOG.warn("The time to live of {} could not be renewed, retrying: {}", what, e.getMessage());
    }
  }
}
