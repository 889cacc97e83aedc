package io.millrace.verification.simulation;

import io.millrace.definition.AttemptInterceptor;
import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.StateHandler;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.StartRequest;
import io.millrace.retry.RetryPolicy;
import io.millrace.verification.support.AttemptFence;
import java.time.Duration;
import java.util.List;

/** The workflows of the simulation, whose handlers report their activity to the journal. */
final class SimWorkflows implements AttemptInterceptor {

  static final String SIGNAL = "paid";
  private static final Duration SLICE = Duration.ofMillis(200);
  private static final RetryPolicy RETRY =
      RetryPolicy.exponential(Duration.ofMillis(500), Duration.ofSeconds(2)).maxAttempts(1000);

  private final SimWorld simWorld;
  private final SimNode node;

  SimWorkflows(SimWorld simWorld, SimNode node) {
    this.simWorld = simWorld;
    this.node = node;
  }

  List<WorkflowDefinition> definitions() {
    return List.of(chain(), timer(), waiting(), parent(), leaf(), once(), limited(), poison());
  }

  private WorkflowDefinition chain() {
    return WorkflowDefinition.of("chain")
        .start("a", handler(ctx -> Next.moveTo("b", "on")))
        .state("b", handler(ctx -> Next.moveTo("c", "on")))
        .state("c", handler(ctx -> Next.moveTo("d", "on")))
        .state("d", handler(ctx -> Next.moveTo("end", "on")))
        .end("end")
        .retry(RETRY)
        .build();
  }

  private WorkflowDefinition timer() {
    Duration delay = Duration.ofSeconds(3);
    return WorkflowDefinition.of("timer")
        .start("a", handler(ctx -> Next.moveAfter("b", delay, "later")))
        .state(
            "b",
            handler(ctx -> {
              simWorld.checkTimer(ctx.instanceId(), delay);
              return Next.moveTo("end", "on");
            }))
        .end("end")
        .retry(RETRY)
        .build();
  }

  private WorkflowDefinition waiting() {
    return WorkflowDefinition.of("waiting")
        .start(
            "a",
            handler(ctx ->
                chance(2) && ctx.signal(SIGNAL).isPresent()
                    ? Next.moveTo("c", "paid")
                    : Next.waitForSignal("b", SIGNAL, null, "to be paid")))
        .state(
            "b",
            handler(ctx ->
                ctx.signal(SIGNAL).isPresent()
                    ? Next.moveTo("c", "paid")
                    : Next.waitForSignal("b", SIGNAL, null, "still to be paid")))
        .await(
            "c",
            SIGNAL,
            Duration.ofSeconds(8),
            (ctx, signal) ->
                step(ctx, c -> Next.moveTo("end", signal.isPresent() ? "paid" : "not paid")))
        .end("end")
        .retry(RETRY)
        .build();
  }

  private WorkflowDefinition parent() {
    return WorkflowDefinition.of("parent")
        .start(
            "a",
            handler(ctx -> {
              int children = ctx.input(Integer.class);
              for (int i = 0; i < children; i++) {
                ctx.spawn(leaf(ctx, i));
              }
              return Next.waitForChildren("b", "children work");
            }))
        .state("b", handler(ctx -> Next.moveTo("end", ctx.children().total() + " children ended")))
        .end("end")
        .retry(RETRY)
        .build();
  }

  /** Returns a child whose external id a simulated transaction may hold. */
  private StartRequest leaf(StateContext ctx, int child) {
    StartRequest request = StartRequest.of("leaf");
    if (!simWorld.transactions) {
      return request;
    }
    String externalId = ctx.instanceId() + "-" + child;
    if (chance(4)) {
      simWorld.holdKey(externalId);
    }
    return request.externalId(externalId);
  }

  private WorkflowDefinition leaf() {
    return WorkflowDefinition.of("leaf")
        .start("a", handler(ctx -> Next.done("done")))
        .retry(RETRY)
        .build();
  }

  private WorkflowDefinition once() {
    return WorkflowDefinition.of("once")
        .start(
            "a",
            handler(ctx -> {
              String result = ctx.once("charge", String.class, () -> charge(ctx));
              simWorld.journal.once(ctx.idempotencyKey(), result);
              work(ctx, false);
              return chance(3) ? Next.retryAfter(SLICE, "once more") : Next.moveTo("b", "charged");
            }))
        .state("b", handler(ctx -> Next.moveTo("end", "on")))
        .end("end")
        .retry(RETRY)
        .build();
  }

  private WorkflowDefinition limited() {
    return WorkflowDefinition.of("limited")
        .start("a", handler(ctx -> Next.moveTo("b", "on")))
        .state("b", handler(ctx -> Next.done("done")))
        .timeout("a", Duration.ofSeconds(1))
        .timeout("b", Duration.ofSeconds(4))
        .retry(RETRY)
        .build();
  }

  private WorkflowDefinition poison() {
    return WorkflowDefinition.of("poison")
        .start(
            "a",
            ctx -> {
              simWorld.journal.deaths.merge(ctx.instanceId(), 1, Integer::sum);
              node.kill();
              throw new SimulatedCrash();
            })
        .retry(RETRY)
        .build();
  }

  private String charge(StateContext ctx) throws InterruptedException {
    work(ctx, false);
    return simWorld.nextName();
  }

  private StateHandler handler(StateHandler answer) {
    return ctx -> step(ctx, answer);
  }

  /** Treats the tasks of sequences and the handlers of events as steps, too. */
  @Override
  public Next intercept(StateContext ctx, Chain chain) throws Exception {
    boolean other = ctx.type().equals(SimSequences.TYPE) || ctx.type().equals(SimContinuous.TYPE);
    return other ? step(ctx, c -> chain.proceed()) : chain.proceed();
  }

  private Next step(StateContext ctx, StateHandler answer) throws Exception {
    node.checkBound();
    long id = ctx.instanceId();
    HandlerRun run =
        simWorld.journal.begin(
            new HandlerRun(
                node, id, AttemptFence.of(ctx).leaseVersion(), chance(60), simWorld.kernel.now()));
    if (ctx.attempt() < 1) {
      simWorld.journal.violated("I10", run + " began before its attempt was counted");
    }
    try {
      ctx.set("count", ctx.find("count", Integer.class).orElse(0) + 1);
      work(ctx, run.ignoresCancellation);
      if (chance(15)) {
        throw new IllegalStateException("planned failure");
      }
      Next next = chance(15) ? Next.retryAfter(SLICE, "not yet") : answer.handle(ctx);
      if (!ctx.cancelToken().isCancelled()) {
        simWorld.journal.answered(run);
      }
      return next;
    } finally {
      simWorld.journal.end(run);
    }
  }

  private boolean chance(int oneIn) {
    return simWorld.kernel.random.nextInt(oneIn) == 0;
  }

  private void work(StateContext ctx, boolean stubborn) throws InterruptedException {
    if (stubborn) {
      simWorld.kernel.current().rest(Duration.ofSeconds(6));
      return;
    }
    long end = simWorld.kernel.now() + workTime();
    while (simWorld.kernel.now() < end && !ctx.cancelToken().isCancelled()) {
      long left = Math.min(end - simWorld.kernel.now(), SLICE.toNanos());
      simWorld.kernel.current().restInterruptibly(Duration.ofNanos(left));
    }
  }

  /** Returns the duration of a handler: mostly short, sometimes longer than a lease. */
  private long workTime() {
    int most = chance(8) ? 14_000 : 300;
    return Duration.ofMillis(simWorld.kernel.random.nextInt(most)).toNanos();
  }
}
