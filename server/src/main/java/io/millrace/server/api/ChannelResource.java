package io.millrace.server.api;

import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.OperatorAction;
import io.millrace.lifecycle.EngineClock;
import io.millrace.sequence.ChannelException;
import io.millrace.sequence.ChannelTransport;
import io.millrace.sequence.ChannelTransport.DeadLetter;
import io.millrace.sequence.RegisteredTask;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.JsonFields;
import io.millrace.server.http.Param;
import io.millrace.server.http.ProblemException;
import io.millrace.server.http.StrictJson;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The channels between tasks, and the state of their queues. */
final class ChannelResource {

  static final Param<Integer> LIMIT = Param.number("limit", 1, 100, 50);

  private static final String IN_PROCESS = "in-process";
  private static final int MAX_MOVED = 10_000;
  private static final Duration AGE = Duration.ofSeconds(1);

  /** Time limit for all queues together, so that a slow broker does not delay callers. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final ApiContext context;
  private final AuditRecorder auditRecorder;
  private final @Nullable ChannelTransport transport;
  private final CachedSupplier<ChannelsView> all;

  ChannelResource(ApiContext context) {
    this.context = context;
    this.auditRecorder = new AuditRecorder(context);
    this.transport = context.engine().channels().orElse(null);
    this.all = new CachedSupplier<>(context.clock(), AGE, this::load);
  }

  /** Schema Channels. */
  record ChannelsView(String transport, @Nullable String problem, List<ChannelView> channels) {}

  /** A channel with the state of its queue. */
  record ChannelView(
      String channel,
      List<String> tasks,
      @Nullable Long ready,
      @Nullable Long consumers,
      @Nullable Long deadLetters) {

    static ChannelView of(
        String channel, List<String> tasks, ChannelTransport.@Nullable QueueStatus queueStatus) {
      return queueStatus == null
          ? new ChannelView(channel, tasks, null, null, null)
          : new ChannelView(
              channel,
              tasks,
              queueStatus.ready(),
              queueStatus.consumers(),
              queueStatus.deadLetters());
    }
  }

  /** Schema Moved. */
  record MovedView(int moved) {}

  ApiResponse list(ApiRequest request) {
    return ApiResponse.json(all.get());
  }

  private ChannelsView load() {
    Map<String, List<String>> tasks = tasksByChannel();
    ChannelTransport asked = transport;
    if (asked == null) {
      return new ChannelsView(IN_PROCESS, null, views(tasks, Map.of()));
    }
    Map<String, ChannelTransport.QueueStatus> depths = new TreeMap<>();
    String problem = ask(asked, tasks.keySet(), depths);
    return new ChannelsView(asked.name(), problem, views(tasks, depths));
  }

  /**
   * Reads the queues one by one and stops at the first failure of the broker; returns the failure.
   */
  private @Nullable String ask(
      ChannelTransport asked,
      Iterable<String> channels,
      Map<String, ChannelTransport.QueueStatus> depths) {
    EngineClock clock = context.clock();
    long begun = clock.nanoTime();
    String problem = null;
    for (String channel : channels) {
      if (clock.nanoTime() - begun > PATIENCE.toNanos()) {
        return "The broker is slow: after %s seconds it has told the state of %s channels only."
            .formatted(PATIENCE.toSeconds(), depths.size());
      }
      try {
        depths.put(channel, asked.queueStatus(channel));
      } catch (InvalidRequestException e) {
        problem = e.getMessage();
      } catch (ChannelException e) {
        return e.getMessage();
      }
    }
    return problem;
  }

  private static List<ChannelView> views(
      Map<String, List<String>> tasks, Map<String, ChannelTransport.QueueStatus> depths) {
    return tasks.entrySet().stream()
        .map(e -> ChannelView.of(e.getKey(), e.getValue(), depths.get(e.getKey())))
        .toList();
  }

  private Map<String, List<String>> tasksByChannel() {
    Map<String, List<String>> tasks = new TreeMap<>();
    for (RegisteredTask one : context.engine().sequences().tasks().list()) {
      String channel = one.task().channel();
      if (channel != null) {
        tasks.computeIfAbsent(channel, c -> new ArrayList<>()).add(one.task().name());
      }
    }
    return tasks;
  }

  ApiResponse deadLetters(ApiRequest request) {
    String channel = known(request);
    int limit = request.get(LIMIT);
    List<DeadLetter> letters =
        transport == null ? List.of() : transport.deadLetters(channel, limit);
    return ApiResponse.json(letters.stream().map(this::masked).toList());
  }

  /** Masks the body, which any client of the broker can have written. */
  private DeadLetter masked(DeadLetter letter) {
    return new DeadLetter(
        letter.channel(),
        context.secretNames().maskText(letter.body()),
        letter.id(),
        letter.reason());
  }

  ApiResponse requeue(ApiRequest request) throws IOException {
    JsonFields body = request.body("limit", "reason");
    OperatorAction action = InstanceActionResource.actionOf(request, body);
    Long limit = body.optionalNumber("limit", 1, MAX_MOVED);
    if (limit == null) {
      throw ProblemException.invalid("limit", "is missing; expected 1 to " + MAX_MOVED + ".");
    }
    String channel = known(request);
    int moved = transport == null ? 0 : transport.requeue(channel, limit.intValue());
    all.invalidate();
    auditRecorder.record(
        action, "requeueDeadLetters", channel, null, StrictJson.write(new MovedView(moved)));
    return ApiResponse.json(new MovedView(moved));
  }

  private String known(ApiRequest request) {
    String channel = request.path("channel", SequenceJsonParser.CHANNEL);
    if (!tasksByChannel().containsKey(channel) && !hasOnlyLetters(channel)) {
      throw ProblemException.notFound(
          "No task has the channel '"
              + channel
              + "', and it has no dead letters. Look at the list of channels.");
    }
    return channel;
  }

  /** True for a channel that no task has any more but that still holds dead letters. */
  private boolean hasOnlyLetters(String channel) {
    return transport != null && transport.queueStatus(channel).deadLetters() > 0;
  }
}
