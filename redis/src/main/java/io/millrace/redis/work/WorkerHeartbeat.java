package io.millrace.redis.work;

import io.millrace.codec.CodecException;
import io.millrace.lifecycle.IntervalThrottle;
import io.millrace.lifecycle.Loop;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.connect.RedisUnavailableException;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowJson;
import io.millrace.redis.wire.MillraceKeys;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes this process to the others: its flows, its workers, and their totals. */
final class WorkerHeartbeat implements Loop.Work {

  private static final Logger LOG = LoggerFactory.getLogger(WorkerHeartbeat.class);
  private static final Duration EVERY = Duration.ofSeconds(2);

  /** Silence after which a process counts as killed; its entry is then removed. */
  private static final Duration MAX_SILENCE = Duration.ofHours(1);

  private final WorkerContext context;
  private final List<QueueRuntime> queueRuntimes;
  private final List<Flow> flows;
  private final IntervalThrottle warningThrottle;
  private final String process;
  private final String host = host();
  private final long since;
  private long nextCleanup;

  WorkerHeartbeat(WorkerContext context, List<QueueRuntime> queueRuntimes, List<Flow> flows) {
    this.context = context;
    this.process = context.newId();
    this.queueRuntimes = queueRuntimes;
    this.flows = flows;
    this.warningThrottle =
        new IntervalThrottle(context.runtime().clock(), QueueRuntime.BETWEEN_WARNINGS);
    this.since = millis();
    this.nextCleanup = context.nanoTime();
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }

  private long millis() {
    return context.runtime().clock().instant().toEpochMilli();
  }

  @Override
  public Duration tick() {
    List<List<String>> commands = new ArrayList<>();
    for (Flow flow : flows) {
      commands.add(List.of("HSET", MillraceKeys.flows(), flow.name(), FlowJson.write(flow)));
    }
    for (QueueRuntime queueRuntime : queueRuntimes) {
      if (!queueRuntime.workers().isEmpty()) {
        String key = MillraceKeys.workers(queueRuntime.queueKeys().name());
        commands.add(List.of("HSET", key, process, beat(queueRuntime)));
      }
    }
    send(commands);
    sendCounters();
    if (context.nanoTime() - nextCleanup >= 0 && removeDeadProcesses()) {
      nextCleanup = context.nanoTime() + MAX_SILENCE.toNanos();
    }
    return EVERY;
  }

  private boolean removeDeadProcesses() {
    boolean allSent = true;
    for (QueueRuntime queueRuntime : queueRuntimes) {
      if (!queueRuntime.workers().isEmpty()) {
        String key = MillraceKeys.workers(queueRuntime.queueKeys().name());
        allSent &= attempt(() -> send(removals(key)));
      }
    }
    return allSent;
  }

  private List<List<String>> removals(String key) {
    List<?> pairs = (List<?>) RedisReplies.need(context.redis().call("HGETALL", key));
    List<List<String>> commands = new ArrayList<>();
    for (int i = 0; i + 1 < pairs.size(); i += 2) {
      if (isDead(RedisReplies.text(pairs.get(i + 1)))) {
        commands.add(List.of("HDEL", key, RedisReplies.text(pairs.get(i))));
      }
    }
    return commands;
  }

  private boolean isDead(String beat) {
    try {
      return millis() - context.json().read(beat).path("beat").asLong(0) > MAX_SILENCE.toMillis();
    } catch (CodecException e) {
      return true; // the entry is unreadable for everyone
    }
  }

  private String beat(QueueRuntime queueRuntime) {
    int runningWorkers = 0;
    int busy = 0;
    for (QueueWorker worker : queueRuntime.workers()) {
      runningWorkers += worker.isRunning() ? 1 : 0;
      busy += worker.jobs().isEmpty() ? 0 : 1;
    }
    Map<String, Object> beat = new LinkedHashMap<>();
    beat.put("process", process);
    beat.put("host", host);
    beat.put("workers", runningWorkers);
    beat.put("busy", busy);
    beat.put("since", since);
    beat.put("beat", millis());
    return context.json().write(beat);
  }

  private void sendCounters() {
    for (QueueRuntime queueRuntime : queueRuntimes) {
      Map<QueueCounters.Kind, Long> counts = queueRuntime.counters().drain();
      List<List<String>> commands = new ArrayList<>();
      counts.forEach((kind, number) ->
          commands.add(
              List.of(
                  "HINCRBY",
                  MillraceKeys.totals(queueRuntime.queueKeys().name()),
                  kind.name().toLowerCase(Locale.ROOT),
                  number.toString())));
      if (counts.containsKey(QueueCounters.Kind.EXPIRED)) {
        commands.add(
            List.of(
                "HSET",
                MillraceKeys.totals(queueRuntime.queueKeys().name()),
                "expiredAt",
                Long.toString(millis())));
      }
      if (!send(commands)) {
        // The counts are sent with the next beat. They may then be added twice, if only the reply
        // was lost.
        counts.forEach(queueRuntime.counters()::add);
      }
    }
  }

  /** Removes the workers of this process, and sends the last totals, when the process ends. */
  void deregister() {
    sendCounters();
    List<List<String>> commands = new ArrayList<>();
    for (QueueRuntime queueRuntime : queueRuntimes) {
      commands.add(List.of("HDEL", MillraceKeys.workers(queueRuntime.queueKeys().name()), process));
    }
    send(commands);
  }

  private boolean send(List<List<String>> commands) {
    return commands.isEmpty() || attempt(() -> !context.redis().pipelined(commands).isEmpty());
  }

  private boolean attempt(BooleanSupplier action) {
    try {
      return action.getAsBoolean();
    } catch (RedisUnavailableException | RedisReplyException e) {
      if (warningThrottle.permits()) {
        LOG.warn("The heartbeat of this process could not be sent, will retry: {}", e.getMessage());
      }
      return false;
    }
  }
}
