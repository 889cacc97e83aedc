package io.millrace.redis.bridge;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.WorkflowClient;
import io.millrace.codec.CodecException;
import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.StateHandler;
import io.millrace.instance.ConflictException;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.MillraceException;
import io.millrace.instance.StartRequest;
import io.millrace.instance.UnknownWorkflowException;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.FlowClient;
import io.millrace.redis.flow.FlowEvent;
import io.millrace.redis.flow.FlowListener;
import io.millrace.redis.flow.Job;
import io.millrace.redis.flow.JobHandler;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.wire.UuidV7Generator;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bridge between jobs and workflows: jobs start workflow instances, and states of workflows create
 * jobs and wait until they have finished. A process that dies between the two sides repeats its
 * calls and finds the job or instance that it had created. Thread-safe.
 *
 * <p>As listener of {@code RedisFlows} it notifies instances at once of jobs that finish in this
 * process; for jobs that finish elsewhere the instances poll.
 */
public final class WorkflowBridge implements FlowListener {

  private static final Logger LOG = LoggerFactory.getLogger(WorkflowBridge.class);
  private static final Duration MIN_POLL = Duration.ofMillis(100);

  /** Upper limit of the poll interval, as of the delay of a job. */
  private static final Duration MAX_POLL = Duration.ofDays(365);

  /**
   * Upper limit of the instances that are notified at once; the others poll, as they do for jobs
   * that finish elsewhere.
   */
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
   * Creates a bridge.
   *
   * @param runtime the runtime of the engine
   * @param poll how long an instance waits before it checks by itself if its job has finished; 100
   *     ms to 365 days
   */
  public static WorkflowBridge of(EngineRuntime runtime, Duration poll) {
    if (requirePresent(poll, "The poll interval").compareTo(MIN_POLL) < 0
        || poll.compareTo(MAX_POLL) > 0) {
      throw new InvalidRequestException(
          "The poll interval of jobs is "
              + poll
              + "; expected 100 ms to "
              + MAX_POLL.toDays()
              + " days.");
    }
    return new WorkflowBridge(requirePresent(runtime, "The runtime"), poll);
  }

  /** Sets the engine. Call it once the engine runs, since workflows are declared before that. */
  public void connect(WorkflowClient engine) {
    client = requirePresent(engine, "The client");
  }

  /**
   * Returns a handler that starts an instance for each job, once however often the job is retried,
   * and completes the job with the field {@code workflow}, the instance's id. A job whose start can
   * never succeed, such as one with too large an input, fails without a retry.
   *
   * @param request must return the same for the same job; the bridge sets the external id
   */
  public JobHandler starting(Function<Job, StartRequest> request) {
    return job -> start(job, request, id -> JobResult.of("workflow", id));
  }

  /**
   * Returns a handler like {@link #starting} whose job also waits for the end of the instance, and
   * then gets its status.
   */
  public JobHandler awaiting(Function<Job, StartRequest> request) {
    return job -> start(job, request, this::whenEnded);
  }

  private JobResult whenEnded(long id) {
    InstanceStatus status = engine().get(id).status();
    return status.isTerminal()
        ? JobResult.of("workflow", id).with("workflowStatus", status.code())
        : JobResult.later(poll, "workflow instance " + id + " has not ended");
  }

  private JobResult start(
      Job job, Function<Job, StartRequest> request, LongFunction<JobResult> result) {
    String key = "redis:" + job.flow() + ":" + job.queue() + ":" + job.id();
    StartRequest start = request.apply(job).externalId(key);
    long id;
    try {
      id = engine().start(start).id();
    } catch (MillraceException e) {
      if (isPermanent(e)) {
        return JobResult.failed("No workflow was started for the job: " + e.getMessage());
      }
      throw e;
    }
    return result.apply(id);
  }

  /** Returns true if the same start would be refused again. */
  private static boolean isPermanent(MillraceException refusal) {
    return switch (refusal) {
      case UnknownWorkflowException e -> false;
      case InvalidRequestException e -> true;
      case CodecException e -> true;
      case ConflictException e -> true;
      case StoreException e -> e.permanent();
      default -> false;
    };
  }

  private WorkflowClient engine() {
    WorkflowClient engine = client;
    if (engine == null) {
      throw new IllegalStateException(
          "The bridge knows no engine: call connect(engine.client()) before flows start.");
    }
    return engine;
  }

  /**
   * Progress of a state, kept in a variable of the instance, through which readers find the job.
   */
  private record SubmittedJob(String flow, String id, boolean made) {}

  /**
   * Returns a state handler that creates one job for each visit of the instance, and waits until
   * the job has finished. The state must be allowed to follow itself.
   *
   * @param job called at least once; only the result of the first call counts. A job without a
   *     correlation id gets {@code workflow:<type>:<instance>}. A job that can never be created
   *     fails the state without a retry.
   */
  public StateHandler job(
      FlowClient flow, Function<StateContext, NewJob> job, JobFinishHandler onFinish) {
    requirePresent(flow, "The flow");
    requirePresent(job, "The job");
    requirePresent(onFinish, "The action after the job");
    return ctx -> {
      String variable = "redisJob-" + ctx.state();
      SubmittedJob known = ctx.find(variable, SubmittedJob.class).orElse(null);
      // The id is durable before the job is created, so that the next attempt creates the same job.
      String id = known != null ? known.id() : ctx.once(variable, String.class, ids::next);
      String signal = "redisJob-" + id;
      waitingInstances.put(key(flow.flow().name(), id), ctx.instanceId());
      ctx.signal(signal);
      if (known == null || !known.made()) {
        NewJob draft = correlated(ctx, job.apply(ctx));
        try {
          flow.createWithId(id, draft);
        } catch (InvalidRequestException | CodecException e) {
          waitingInstances.remove(key(flow.flow().name(), id));
          return Next.fail("the job cannot be created: " + e.getMessage());
        }
      }
      if (flow.isFinished(id)) {
        waitingInstances.remove(key(flow.flow().name(), id));
        ctx.remove(variable);
        return onFinish.finished(ctx, flow.find(id));
      }
      ctx.set(variable, new SubmittedJob(flow.flow().name(), id, true));
      return Next.waitForSignal(
          ctx.state(), signal, poll, "job " + id + " of flow " + flow.flow().name() + " goes on");
    };
  }

  /**
   * Adds a correlation id that leads from the job, and from its workers' logs, back to the
   * instance.
   */
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
    boolean finished =
        switch (event) {
          case FlowEvent.Completed completed -> completed.nextQueue() == null;
          case FlowEvent.Failed failed -> true;
          case FlowEvent.Recovered recovered -> recovered.failed();
          default -> false;
        };
    String id = event.job().id();
    Long instance = finished ? waitingInstances.remove(key(event.job().flow(), id)) : null;
    if (instance != null) {
      runtime.runner().runOnPool("millrace-job-finished", () -> signal(instance, id));
    }
  }

  /** Notifies an instance. On any failure, the instance polls a little later. */
  private void signal(long instance, String id) {
    try {
      engine().signal(instance, "redisJob-" + id, null, null, id);
    } catch (MillraceException | IllegalStateException e) {
      LOG.debug("Instance {} did not get the signal that job {} has finished", instance, id, e);
    }
  }
}
