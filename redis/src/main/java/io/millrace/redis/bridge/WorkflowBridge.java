package io.millrace.redis.bridge;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.WorkflowClient;
import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.StateHandler;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.MillraceException;
import io.millrace.instance.StartRequest;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.FlowClient;
import io.millrace.redis.flow.FlowEvent;
import io.millrace.redis.flow.FlowListener;
import io.millrace.redis.flow.Job;
import io.millrace.redis.flow.JobHandler;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.wire.UuidV7Generator;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets jobs start workflow instances, and states of workflows put jobs and wait for their ends. A
 * process that dies between the two sides begins again and finds what it had done. Thread-safe.
 *
 * <p>As listener of {@code RedisFlows} it tells instances at once of jobs that end in this process;
 * jobs that end elsewhere are looked at from time to time.
 */
public final class WorkflowBridge implements FlowListener {

  private static final Logger LOG = LoggerFactory.getLogger(WorkflowBridge.class);
  private static final Duration MIN_DURATION = Duration.ofMillis(100);

  /** No job of a queue can be delayed for longer. */
  private static final Duration MAX_DURATION = Duration.ofDays(365);

  /** So many are told at once; others look for themselves, as all do whose jobs end elsewhere. */
  private static final int MAX_WAITING = 50_000;

  private final EngineRuntime runtime;
  private final Duration poll;
  private final UuidV7Generator ids;
  private final WaitingInstances waitingInstances = new WaitingInstances(MAX_WAITING);
  private volatile @Nullable WorkflowClient client;

  private WorkflowBridge(EngineRuntime runtime, Duration poll) {
    this.runtime = runtime;
    this.poll = poll;
    this.ids = new UuidV7Generator(runtime.clock(), runtime.random());
  }

  /**
   * A bridge.
   *
   * @param runtime of the engine
   * @param poll how long an instance waits before it looks for the end of its job itself; 100 ms to
   *     365 days
   */
  public static WorkflowBridge of(EngineRuntime runtime, Duration poll) {
    if (requirePresent(poll, "The time between two looks").compareTo(MIN_DURATION) < 0
        || poll.compareTo(MAX_DURATION) > 0) {
      throw new InvalidRequestException(
          "The time between two looks at a job is "
              + poll
              + ", but must be from 100 ms to "
              + MAX_DURATION.toDays()
              + " days");
    }
    return new WorkflowBridge(requirePresent(runtime, "The runtime"), poll);
  }

  /** Says which engine is meant, once it runs: workflows are declared before that. */
  public void connect(WorkflowClient engine) {
    client = requirePresent(engine, "The client");
  }

  /**
   * The work of a queue: starts an instance for each job, once however often the job is tried, and
   * completes it with the field {@code workflow}, the instance's id.
   *
   * @param request must be the same for the same job; its external id is set here
   */
  public JobHandler starting(Function<Job, StartRequest> request) {
    return job -> JobResult.of("workflow", start(job, request));
  }

  /** The same, and the job comes back until the instance has ended; then it gets its status too. */
  public JobHandler awaiting(Function<Job, StartRequest> request) {
    return job -> {
      long id = start(job, request);
      var instance = engine().get(id);
      return instance.status().isTerminal()
          ? JobResult.of("workflow", id).with("workflowStatus", instance.status().code())
          : JobResult.later(poll, "workflow instance " + id + " has not ended");
    };
  }

  private long start(Job job, Function<Job, StartRequest> request) {
    String key = "redis:" + job.flow() + ":" + job.queue() + ":" + job.id();
    return engine().start(request.apply(job).externalId(key)).id();
  }

  private WorkflowClient engine() {
    WorkflowClient engine = client;
    if (engine == null) {
      throw new IllegalStateException(
          "The bridge knows no engine: call connect(engine.client()) before flows start.");
    }
    return engine;
  }

  /** How far a state is; kept in a variable of the instance, whose readers find the job by it. */
  private record SubmittedJob(String flow, String id, boolean made) {}

  /**
   * The work of a state: puts one job for each visit of the instance, and waits until it is done or
   * has failed. The state must be one that the instance may enter again from itself.
   *
   * @param job asked for once at least; only what the first answer says counts. Without a
   *     correlation id of its own it gets {@code workflow:<type>:<instance>}.
   */
  public StateHandler job(FlowClient flow, Function<StateContext, NewJob> job, JobEndHandler end) {
    requirePresent(flow, "The flow");
    requirePresent(job, "The job");
    requirePresent(end, "The end");
    return ctx -> {
      String variable = "redisJob-" + ctx.state();
      SubmittedJob known = ctx.find(variable, SubmittedJob.class).orElse(null);
      // Durable before anything is put, so that the next attempt puts the same job.
      String id = known != null ? known.id() : ctx.once(variable, String.class, ids::next);
      String signal = "redisJob-" + id;
      waitingInstances.put(key(flow.flow().name(), id), ctx.instanceId());
      ctx.signal(signal);
      if (known == null || !known.made()) {
        flow.createWithId(id, correlated(ctx, job.apply(ctx)));
      }
      if (flow.hasEnded(id)) {
        waitingInstances.remove(key(flow.flow().name(), id));
        ctx.remove(variable);
        return end.ended(ctx, flow.get(id));
      }
      ctx.set(variable, new SubmittedJob(flow.flow().name(), id, true));
      return Next.waitForSignal(
          ctx.state(), signal, poll, "job " + id + " of flow " + flow.flow().name() + " goes on");
    };
  }

  /** Leads from the job, and from what its workers log, back to the instance. */
  private static NewJob correlated(StateContext ctx, NewJob job) {
    return job.correlationId() == null
        ? job.correlationId("workflow:" + ctx.type() + ":" + ctx.instanceId())
        : job;
  }

  private static String key(String flow, String id) {
    return flow + ":" + id;
  }

  @Override
  public void onEvent(FlowEvent event) {
    boolean end =
        switch (event) {
          case FlowEvent.Completed completed -> completed.nextQueue() == null;
          case FlowEvent.Failed failed -> true;
          case FlowEvent.Recovered recovered -> recovered.failed();
          default -> false;
        };
    String id = event.job().id();
    Long instance = end ? waitingInstances.remove(key(event.job().flow(), id)) : null;
    if (instance != null) {
      runtime.runner().runOnPool("millrace-job-ended", () -> tell(instance, id));
    }
  }

  /** Whatever goes wrong, the instance looks for itself a little later. */
  private void tell(long instance, String id) {
    try {
      engine().signal(instance, "redisJob-" + id, null, null, id);
    } catch (MillraceException | IllegalStateException e) {
      LOG.debug("Instance {} was not told that job {} has ended", instance, id, e);
    }
  }
}
