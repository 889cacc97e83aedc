package io.millrace.verification.chaos.node;

import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.StartRequest;
import io.millrace.retry.RetryPolicy;
import io.millrace.verification.chaos.journal.JournalClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The workflows of a chaos run. The promises of each are checked from its history. */
public final class ChaosWorkflows {

  /** Prefix of the reason of every planned failure of a handler. */
  public static final String PLANNED = "planned";

  /** Returns the minimum time in milliseconds that {@code ring} of instance {@code id} waits. */
  public static long delayMillis(long id) {
    return 500 * (1 + id % 5);
  }

  /** Exit code of a process whose handler halted it. */
  public static final int HALTED = 66;

  /** Exit code of a process whose handler called System.exit. */
  public static final int EXITED = 67;

  /** Number of children of a family. */
  public static final int CHILDREN = 3;

  private static final Duration SIGNAL_LIMIT = Duration.ofSeconds(20);

  private final @Nullable JournalClient journal;

  private ChaosWorkflows(@Nullable JournalClient journal) {
    this.journal = journal;
  }

  /** Returns the definitions for engines that run no handlers. */
  public static List<WorkflowDefinition> definitions() {
    return definitions(null);
  }

  static List<WorkflowDefinition> definitions(@Nullable JournalClient journal) {
    ChaosWorkflows all = new ChaosWorkflows(journal);
    return List.of(
        all.chain(),
        slow(),
        deaf(),
        flaky(),
        signal(),
        timer(),
        family(),
        child(),
        poison(),
        exit());
  }

  /**
   * Returns a workflow of five short steps that count themselves, the third with an effect that
   * happens once.
   */
  private WorkflowDefinition chain() {
    return WorkflowDefinition.of("chain")
        .start("s1", ctx -> count(ctx, "s2"))
        .state("s2", ctx -> count(ctx, "s3"))
        .state(
            "s3",
            ctx -> {
              ctx.set("token", ctx.once("effect", String.class, () -> effect(ctx)));
              return count(ctx, "s4");
            })
        .state("s4", ctx -> count(ctx, "s5"))
        .state("s5", ctx -> count(ctx, "end"))
        .end("end")
        .build();
  }

  private static Next count(StateContext ctx, String next) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(20));
    ctx.set("n", ctx.find("n", Integer.class).orElse(0) + 1);
    return Next.moveTo(next, "counted");
  }

  private String effect(StateContext ctx) {
    String token = UUID.randomUUID().toString();
    if (journal != null) {
      journal.record("EFFECT", Map.of("id", ctx.instanceId(), "token", token));
    }
    return token;
  }

  /** Returns a workflow with steps of 0.1 to 5 seconds that end when they are interrupted. */
  private static WorkflowDefinition slow() {
    return WorkflowDefinition.of("slow")
        .start("one", ctx -> sleepy(100, 5_000, "two"))
        .state("two", ctx -> sleepy(100, 1_000, "end"))
        .end("end")
        .retry(RetryPolicy.fixed(Duration.ofMillis(300)).maxAttempts(50))
        .build();
  }

  private static Next sleepy(int least, int most, String next) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(least, most));
    return Next.moveTo(next, "slept");
  }

  /** Returns a workflow with a step of 0.5 to 5 seconds that ignores interrupts. */
  private static WorkflowDefinition deaf() {
    return WorkflowDefinition.of("deaf")
        .start(
            "deaf",
            ctx -> {
              long end =
                  System.nanoTime() + ThreadLocalRandom.current().nextLong(500, 5_000) * 1_000_000;
              while (System.nanoTime() < end) {
                try {
                  TimeUnit.NANOSECONDS.sleep(end - System.nanoTime());
                } catch (InterruptedException ignored) {
                  // Deaf: neither ends nor restores the interrupt.
                }
              }
              return Next.moveTo("end", "done in spite of all");
            })
        .end("end")
        .build();
  }

  /** Returns a workflow that fails often. */
  private static WorkflowDefinition flaky() {
    return WorkflowDefinition.of("flaky")
        .start(
            "try",
            ctx -> {
              TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(50));
              if (ThreadLocalRandom.current().nextInt(10) < 4) {
                throw new IllegalStateException(PLANNED);
              }
              return Next.moveTo("end", "worked in attempt " + ctx.attempt());
            })
        .end("end")
        .retry(RetryPolicy.fixed(Duration.ofMillis(300)).maxAttempts(50))
        .build();
  }

  /** Returns a workflow that waits for a signal and consumes all received ones. */
  private static WorkflowDefinition signal() {
    return WorkflowDefinition.of("signal")
        .start("ask", ctx -> Next.waitForSignal("collect", "go", SIGNAL_LIMIT, "asked"))
        .state(
            "collect",
            ctx -> {
              boolean came = ctx.signal("go").isPresent();
              ctx.set("came", came);
              return Next.moveTo("end", came ? "it came" : "it did not come");
            })
        .end("end")
        .build();
  }

  private static WorkflowDefinition timer() {
    return WorkflowDefinition.of("timer")
        .start(
            "arm",
            ctx ->
                Next.moveAfter("ring", Duration.ofMillis(delayMillis(ctx.instanceId())), "armed"))
        .state("ring", ctx -> Next.moveTo("end", "rang"))
        .end("end")
        .build();
  }

  private static WorkflowDefinition family() {
    return WorkflowDefinition.of("family")
        .start(
            "spawn",
            ctx -> {
              for (int i = 0; i < CHILDREN; i++) {
                ctx.spawn(StartRequest.of("child", i));
              }
              return Next.waitForChildren("join", "children were started");
            })
        .state(
            "join",
            ctx -> {
              ctx.set("open", ctx.children().open());
              ctx.set("values", ctx.childVariables("value", Integer.class));
              return Next.moveTo("end", "joined");
            })
        .end("end")
        .build();
  }

  private static WorkflowDefinition child() {
    return WorkflowDefinition.of("child")
        .start(
            "work",
            ctx -> {
              TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(200));
              ctx.set("value", ctx.input(Integer.class));
              return Next.moveTo("end", "worked");
            })
        .end("end")
        .build();
  }

  /** Returns a workflow that kills every process that runs it. */
  private static WorkflowDefinition poison() {
    return WorkflowDefinition.of("poison")
        .start(
            "kill",
            ctx -> {
              Runtime.getRuntime().halt(HALTED);
              return Next.done("never");
            })
        .build();
  }

  /** Returns a workflow that ends every process that runs it, in an orderly way. */
  @SuppressWarnings("DoNotCall")
  private static WorkflowDefinition exit() {
    return WorkflowDefinition.of("exit")
        .start(
            "exit",
            ctx -> {
              System.exit(EXITED);
              return Next.done("never");
            })
        .build();
  }
}
