package io.millrace.server.api;

import io.millrace.redis.admin.FlowView;
import io.millrace.redis.admin.JobPage;
import io.millrace.redis.admin.QueuePause;
import io.millrace.redis.admin.QueueView;
import io.millrace.redis.admin.RegisteredQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The responses about Redis flows. */
final class FlowViews {

  private FlowViews() {}

  /** Schema Flows. */
  record Flows(boolean configured, boolean reachable, @Nullable String problem, List<Flow> flows) {

    static final Flows NOT_CONFIGURED = new Flows(false, false, null, List.of());

    static Flows of(List<FlowView> flows) {
      return new Flows(true, true, null, flows.stream().map(Flow::of).toList());
    }

    static Flows unreachable(String problem) {
      return new Flows(true, false, problem, List.of());
    }
  }

  /** Schema Flow. */
  record Flow(String name, List<String> lookup, List<Queue> queues) {
    static Flow of(FlowView flow) {
      return new Flow(flow.name(), flow.lookup(), flow.queues().stream().map(Queue::of).toList());
    }
  }

  /** Schema FlowQueue. */
  record Queue(
      String name,
      String flow,
      @Nullable String next,
      @Nullable String parent,
      long waiting,
      long processing,
      long delayed,
      long dead,
      @Nullable Long oldestWaitingSeconds,
      boolean paused,
      @Nullable String pausedWhy,
      @Nullable String pausedBy,
      @Nullable Instant pausedSince,
      int workers,
      int busy,
      double completedPerMinute,
      double failedPerMinute,
      int locksExpiring,
      long expired,
      @Nullable String problem) {

    static Queue of(QueueView view) {
      RegisteredQueue queue = view.queue();
      QueueView.JobCounts jobCounts = view.counts();
      Duration oldest = jobCounts.oldest();
      QueuePause paused = view.paused();
      return new Queue(
          queue.name(),
          queue.flow(),
          queue.next(),
          queue.parent(),
          jobCounts.waiting(),
          jobCounts.processing(),
          jobCounts.delayed(),
          jobCounts.dead(),
          oldest == null ? null : oldest.toSeconds(),
          paused != null,
          paused == null ? null : paused.why(),
          paused == null ? null : paused.by(),
          paused == null ? null : paused.since(),
          view.workers().workers(),
          view.workers().busy(),
          view.throughput().completedPerMinute(),
          view.throughput().failedPerMinute(),
          jobCounts.locksExpiring(),
          view.expired().total(),
          view.problem());
    }
  }

  /** Schema JobPage. */
  record Page(List<Entry> items, @Nullable String next) {
    static Page of(JobPage page) {
      return new Page(page.items().stream().map(Entry::of).toList(), page.next());
    }
  }

  /** A job in a list. */
  record Entry(
      String id,
      String flow,
      @Nullable Instant createdAt,
      @Nullable Instant at,
      @Nullable String lockOwner,
      @Nullable Long lockSeconds,
      @Nullable String error) {

    static Entry of(JobPage.Entry entry) {
      JobPage.Lock lock = entry.lock();
      return new Entry(
          entry.id(),
          entry.flow(),
          entry.created(),
          entry.at(),
          lock == null ? null : lock.owner(),
          lock == null ? null : lock.seconds(),
          entry.error());
    }
  }
}
