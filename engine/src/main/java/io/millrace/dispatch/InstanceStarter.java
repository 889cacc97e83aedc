package io.millrace.dispatch;

import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.ChildCounts;
import io.millrace.instance.Due;
import io.millrace.instance.InstanceDetails;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InstanceTimestamps;
import io.millrace.instance.Lease;
import io.millrace.instance.Position;
import io.millrace.instance.WorkflowInstance;
import io.millrace.lifecycle.Waiter;
import io.millrace.store.ChannelMessage;
import io.millrace.store.ClaimResult.ClaimedData;
import io.millrace.store.ExternalKey;
import io.millrace.store.NewInstance;
import io.millrace.store.StartResult;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Starts instances, those of many callers in one transaction. While a place is free and the
 * database has no due instances, a new instance is inserted with a lease of this engine and runs
 * without a claim.
 */
final class InstanceStarter {

  private final EngineContext engine;
  private final ExecutorLease lease;
  private final PollRequests polls;
  private final InstanceProcessor processor;
  private final PendingClaims pendingClaims;
  private final Batcher<List<NewInstance>, List<StartResult>> batcher;

  InstanceStarter(
      EngineContext engine,
      ExecutorLease lease,
      PollRequests polls,
      InstanceProcessor processor,
      PendingClaims pendingClaims) {
    this.engine = engine;
    this.lease = lease;
    this.polls = polls;
    this.processor = processor;
    this.pendingClaims = pendingClaims;
    this.batcher =
        Batcher.failFast(
            engine.runtime(),
            "millrace-starter",
            groups -> write(groups, engine.store().instances()::start),
            groups -> write(groups, engine.store().instances()::startWithoutWaiting),
            ExternalKey::allOf);
  }

  void stop(Duration patience) {
    batcher.stop(patience);
  }

  /** Starts all or none. Returns when they are durable. */
  List<StartResult> start(List<NewInstance> instances) {
    Pending pending = new Pending(engine.runtime().runner().waiter());
    batcher.submit(instances, pending);
    try {
      return pending.await();
    } catch (StoreException e) {
      throw e.blocked() ? blocked(instances, e) : e;
    }
  }

  private static StoreException blocked(List<NewInstance> instances, StoreException fault) {
    List<ExternalKey> keys = ExternalKey.allOf(instances);
    return keys.isEmpty()
        ? fault
        : StoreException.blocked(
            "Nothing was started: another transaction is open that has inserted or locked an"
                + " instance with the same external id, or with that of another start which"
                + " waited for it too (the first of "
                + keys.size()
                + " external ids is "
                + keys.getFirst()
                + "). Retry when that transaction has ended. "
                + fault.getMessage(),
            fault);
  }

  private List<List<StartResult>> write(
      List<List<NewInstance>> groups, Function<List<NewInstance>, List<StartResult>> store) {
    long ticket = pendingClaims.start();
    long requestedNanos = engine.clock().nanoTime();
    try (WorkQueue.Reservation room = reserve(runnableHere(groups))) {
      List<NewInstance> offered = offer(groups, room.size());
      Iterator<StartResult> results = store.apply(offered).iterator();
      Iterator<NewInstance> starts = offered.iterator();
      List<List<StartResult>> answers = new ArrayList<>(groups.size());
      for (List<NewInstance> group : groups) {
        List<StartResult> answer = new ArrayList<>(group.size());
        for (int i = 0; i < group.size(); i++) {
          StartResult result = results.next();
          NewInstance start = starts.next();
          answer.add(result);
          if (result instanceof StartResult.Created created) {
            handOver(start, created, requestedNanos);
          }
        }
        answers.add(answer);
      }
      return answers;
    } finally {
      pendingClaims.end(ticket);
    }
  }

  /** Reserves handlers for new due instances, which do not pass those that wait in the database. */
  private WorkQueue.Reservation reserve(int most) {
    boolean free = !polls.hasBacklog() && lease.canClaim();
    return processor.queue().reservePlaces(free ? most : 0);
  }

  private int runnableHere(List<List<NewInstance>> groups) {
    return (int) groups.stream().flatMap(List::stream).filter(this::runsHere).count();
  }

  private List<NewInstance> offer(List<List<NewInstance>> groups, int room) {
    int left = room;
    List<NewInstance> offered = new ArrayList<>();
    for (List<NewInstance> group : groups) {
      for (NewInstance instance : group) {
        boolean mine = left > 0 && runsHere(instance);
        offered.add(mine ? instance.leasedBy(lease.executorId()) : instance);
        left -= mine ? 1 : 0;
      }
    }
    return offered;
  }

  private boolean runsHere(NewInstance instance) {
    return instance.due() instanceof Due.Now
        && instance.origin().executorGroup().equals(engine.settings().executorGroup())
        && definition(instance) != null;
  }

  private void handOver(NewInstance instance, StartResult.Created created, long requestedNanos) {
    WorkflowDefinition definition = definition(instance);
    if (instance.leasedBy() == null || definition == null) {
      polls.pollWhen(instance.due());
      if (ChannelMessage.isAmong(instance.attached())) {
        engine.events().messageWritten();
      }
      return;
    }
    ClaimedData data = new ClaimedData(instance.input(), instance.variables(), List.of(), Map.of());
    LeasedInstance leased =
        new LeasedInstance(
            snapshot(instance, instance.leasedBy(), created),
            definition,
            data,
            created.at(),
            requestedNanos,
            engine.clock().nanoTime());
    processor.accept(List.of(leased));
  }

  private static WorkflowInstance snapshot(
      NewInstance instance, long executorId, StartResult.Created created) {
    Instant at = created.at();
    return new WorkflowInstance(
        created.id(),
        instance.origin(),
        new Position(instance.startState(), InstanceStatus.CREATED, null, 0, at, null, null),
        new Lease(executorId, 1, 0, 1, 0),
        new InstanceTimestamps(at, at, at, null),
        ChildCounts.NONE,
        new InstanceDetails(instance.variables().size(), 0, -1, null, null));
  }

  private @Nullable WorkflowDefinition definition(NewInstance instance) {
    return engine.definitions().find(instance.origin().type(), instance.origin().version());
  }

  /** The starts of one caller, which waits outside the database's code. */
  private static final class Pending implements Batcher.Callback<List<StartResult>> {
    private final Waiter waiter;
    private volatile @Nullable List<StartResult> results;
    private volatile @Nullable StoreException fault;

    Pending(Waiter waiter) {
      this.waiter = waiter;
    }

    @Override
    public void done(List<StartResult> answer) {
      results = answer;
      waiter.wake();
    }

    @Override
    public void failed(StoreException cause) {
      fault = cause;
      waiter.wake();
    }

    List<StartResult> await() {
      ChannelClaims.waitUntil(waiter, () -> results != null || fault != null);
      return answer();
    }

    private List<StartResult> answer() {
      StoreException cause = fault;
      List<StartResult> answer = results;
      if (cause != null) {
        throw cause;
      }
      return answer == null ? List.of() : answer;
    }
  }
}
