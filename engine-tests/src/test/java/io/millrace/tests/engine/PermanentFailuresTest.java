package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.Triggers;
import io.millrace.definition.Next;
import io.millrace.definition.StateHandler;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.EngineFixture;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.instance.WorkflowInstance;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that failures which no further attempt can cure end the state at the first attempt. */
@SuppressWarnings("NullAway")
class PermanentFailuresTest extends EngineFixture {

  private record Order(String item, int amount) {}

  private void assertFinal(long id, int attempts, String message) {
    engine.advance(Duration.ofHours(5));
    assertThat(history(id)).hasSize(attempts);
    assertThat(status(id)).isEqualTo(InstanceStatus.FAILED);
    assertThat(last(id).outcome().reason()).contains(message, "not retried");
    assertThat(last(id).outcome().error()).contains("Exception");
  }

  private void assertFinal(StateHandler handler, String message) {
    run(job(handler).build());
    assertFinal(start(StartRequest.of("job", "five").variable("v", "text")), 1, message);
  }

  static Stream<Arguments> reading() {
    return Stream.of(
        call("input", ctx -> Next.done("" + ctx.input(Order.class)), "The input"),
        call("variable", ctx -> Next.done("" + ctx.get("v", Integer.class)), "Variable 'v'"),
        call("found", ctx -> Next.done("" + ctx.find("v", Order.class)), "Variable 'v'"),
        call(
            "no variable",
            ctx -> Next.done("" + ctx.get("w", Integer.class)),
            "has no variable 'w'; it has [v]"));
  }

  static Stream<Arguments> steps() {
    return Stream.of(
        call(
            "twice",
            ctx ->
                Next.done(
                    ctx.once("a", String.class, () -> "1")
                        + ctx.once("a", String.class, () -> "2")),
            "Step 'a' was used twice"),
        call("blank name", ctx -> Next.done(ctx.once(" ", String.class, () -> "1")), "name"),
        call("null name", ctx -> Next.done(ctx.once(null, String.class, () -> "1")), "null"));
  }

  static Stream<Arguments> children() {
    StartRequest child = StartRequest.of("job");
    return Stream.of(
        spawn("null", null, "The request for a child is null"),
        spawn("key", child.businessKey("x".repeat(10_000)), "business key"),
        spawn("external id", child.externalId("A-\uD83D"), "external id 'A-\uFFFD'"),
        spawn("half of a name", child.variable("v\uD83D", 1), "variable name"),
        spawn("half in a value", child.variable("v", List.of("\uDE00")), "half of a surrogate"),
        spawn("half in an input", StartRequest.of("job", "x\uD83D"), "The input of 'job'"),
        spawn("input", StartRequest.of("job", "x".repeat(2_000_000)), "The input of 'job'"),
        spawn("variable", child.variable("v", "x".repeat(2_000_000)), "Variable 'v'"),
        spawn("name", child.variable("", "x"), "variable"));
  }

  static Stream<Arguments> answers() {
    return Stream.of(
        call("state", ctx -> Next.moveTo((String) null, "x"), "The state of an answer is null"),
        call("enum", ctx -> Next.moveTo((InstanceStatus) null, "x"), "The state of an answer"),
        call("reason", ctx -> Next.done(null), "The reason of an answer is null"),
        call("fail", ctx -> Next.fail(null), "The reason of an answer is null"),
        call("delay", ctx -> Next.moveAfter("end", null, "x"), "The delay of an answer is null"),
        call("instant", ctx -> Next.moveAt("end", null, "x"), "null"),
        call("negative", ctx -> Next.moveAfter("end", Duration.ofDays(-1), "x"), "PT-24H"),
        call("retry", ctx -> Next.retryAfter(null, "x"), "The delay of an answer is null"),
        call("negative retry", ctx -> Next.retryAfter(Duration.ofDays(-1), "x"), "is negative"),
        call("cause", ctx -> Next.retry(null, "x", null), "The cause of an answer is null"),
        call("signal", ctx -> Next.waitForSignal("end", null, null, "x"), "The signal that"),
        call("join", ctx -> Next.waitForChildren("end", null), "The reason of an answer"));
  }

  private static Arguments call(String name, StateHandler handler, String message) {
    return argumentSet(name, handler, message);
  }

  private static Arguments spawn(String name, StartRequest child, String message) {
    return call(
        name,
        ctx -> {
          ctx.spawn(child);
          return Next.done("spawned");
        },
        message);
  }

  @ParameterizedTest
  @MethodSource({"reading", "steps", "children", "answers"})
  void theFirstAttemptIsTheLast(StateHandler handler, String message) {
    assertFinal(handler, message);
  }

  @Test
  void anInputThatIsNotThereStaysAway() {
    run(job(ctx -> Next.done(ctx.input(String.class))).build());
    assertFinal(start("job"), 1, "was started without input");
  }

  @Test
  void aStoredResultOfAnotherTypeStaysSo() {
    run(
        job(
                ctx -> {
                  if (ctx.attempt() == 1) {
                    ctx.once("a", String.class, () -> "text");
                    throw new IllegalStateException("once");
                  }
                  return Next.done("" + ctx.once("a", Order.class, () -> new Order("x", 1)));
                })
            .build());
    assertFinal(start("job"), 2, "Step 'a'");
  }

  @Test
  void anEffectWhoseWorkAnswersNullHappensOnce() {
    run(
        job(ctx ->
                Next.done(
                    ctx.once(
                        "a",
                        String.class,
                        () -> {
                          log.add("effect");
                          return null;
                        })))
            .build());
    assertFinal(start("job"), 1, "The result of step 'a' is null");
    assertThat(log).containsExactly("effect");
  }

  @Test
  void aSignalsPayloadStaysAsItWasSent() {
    WorkflowDefinition waiting =
        WorkflowDefinition.of("job")
            .start("work", ctx -> Next.moveTo("wait", "x"))
            .await("wait", "go", (ctx, go) -> Next.done("" + go.orElseThrow().payload(Order.class)))
            .build();
    run(waiting);
    long wrong = start("job");
    long none = start("job");
    client().signal(wrong, "go", "text");
    client().signal(none, "go");
    assertFinal(wrong, 2, "The payload of signal 'go'");
    assertFinal(none, 2, "Signal 'go' to instance " + none + " came without payload");
  }

  @Test
  void aVariableOfAChildStaysAsItIs() {
    WorkflowDefinition child =
        WorkflowDefinition.of("child")
            .start(
                "work",
                ctx -> {
                  ctx.set("total", "text");
                  return Next.done("set");
                })
            .build();
    WorkflowDefinition parent =
        job(
                ctx -> {
                  ctx.spawn(StartRequest.of("child"));
                  return Next.waitForChildren("join", "x");
                })
            .state("join", ctx -> Next.done("" + ctx.childVariables("total", Order.class)))
            .build();
    run(parent, child);
    assertFinal(start("job"), 2, "Variable 'total' of a child");
  }

  @Test
  void anEventsPayloadStaysAsItIs() {
    engine =
        ManualEngine.with(
            ManualEngine.defaultSettings(),
            MemoryStore::new,
            builder ->
                builder.continuous(
                    ContinuousWorkflow.of("inbox", Triggers.webhook())
                        .handler((context, event) -> Next.done("" + event.payload(Order.class)))));
    engine.runUntilIdle();
    engine.engine().continuous().offer("inbox", "1", "text");
    engine.advance(Duration.ofMinutes(1));
    WorkflowInstance execution =
        client().search(io.millrace.instance.InstanceQuery.all().type("inbox")).items().getFirst();
    assertFinal(execution.id(), 1, "The payload of the event");
  }

  @Test
  void aTypeThatNoEngineHasYetIsTriedAgain() {
    run(
        job(
                ctx -> {
                  ctx.spawn(StartRequest.of("ghost"));
                  return Next.done("spawned");
                })
            .build());
    long id = startAndRun();
    engine.advance(Duration.ofHours(5));
    List<HistoryEntry> history = history(id);
    assertThat(history).hasSize(10);
    assertThat(last(id).outcome().reason()).contains("'ghost' is not known");
  }
}
