package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.WorkflowClient;
import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.retry.RetryPolicy;
import io.millrace.testing.ManualEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that a null is rejected at the call, by the name of the parameter, and has no effect. */
class NullInputTest {

  private static final WorkflowDefinition WAITING =
      WorkflowDefinition.of("waiting")
          .start("a", ctx -> Next.waitForSignal("a", "s", null, "wait"))
          .build();

  /** A call of a client. */
  interface Call {
    void on(WorkflowClient client, long id);
  }

  static Stream<Arguments> requests() {
    return Stream.of(
        request("type of a start", (client, id) -> StartRequest.of(null)),
        request("input of a start", (client, id) -> StartRequest.of("waiting", null)),
        request("Variable 'x'", (client, id) -> StartRequest.of("waiting").variable("x", null)),
        request("name of a variable", (client, id) -> StartRequest.of("waiting").variable(null, 1)),
        request("external id", (client, id) -> StartRequest.of("waiting").externalId(null)),
        request("time of a start", (client, id) -> StartRequest.of("waiting").at((Instant) null)),
        request(
            "delay of a start", (client, id) -> StartRequest.of("waiting").after((Duration) null)),
        request("request to start", (client, id) -> client.start(null)),
        request(
            "request to start",
            (client, id) -> client.startAll(Arrays.asList(StartRequest.of("waiting"), null))),
        request("signal name", (client, id) -> client.signal(id, null)),
        request("payload of signal 's'", (client, id) -> client.signal(id, "s", null)),
        request("actor of an action", (client, id) -> OperatorAction.by(null, "x")),
        request("action", (client, id) -> client.cancel(id, null)),
        request(
            "state to move to",
            (client, id) -> client.move(id, null, OperatorAction.by("ann", "x"))),
        request("query", (client, id) -> client.search(null)));
  }

  private static Arguments request(String names, Call call) {
    return Arguments.of(names, call);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("requests")
  void aNullInARequestIsNamed(String names, Call call) {
    try (ManualEngine engine = ManualEngine.with(WAITING)) {
      long id = engine.client().start(StartRequest.of("waiting")).id();
      engine.runUntilIdle();
      ThrowingCallable request = () -> call.on(engine.client(), id);
      assertThatThrownBy(request)
          .isInstanceOf(InvalidRequestException.class)
          .hasMessageContaining(names)
          .hasMessageContaining("is null; expected a value");
      assertThat(engine.client().get(id).seq()).isEqualTo(1);
    }
  }

  /** A handler that passes a null. */
  interface Handler {
    Next answer(StateContext ctx) throws Exception;
  }

  static Stream<Arguments> answers() {
    return Stream.of(
        answer("state of an answer", ctx -> Next.moveTo((String) null, "x")),
        answer("state of an answer", ctx -> Next.moveTo((Thread.State) null, "x")),
        answer("reason of an answer", ctx -> Next.done(null)),
        answer("reason of an answer", ctx -> Next.fail(null)),
        answer("delay of an answer", ctx -> Next.retryAfter(null, "x")),
        answer("signal that an answer waits for", ctx -> Next.waitForSignal("a", null, null, "x")),
        answer(
            "Variable 'x'",
            ctx -> {
              ctx.set("x", null);
              return Next.done("x");
            }),
        answer(
            "variable name",
            ctx -> {
              ctx.set(null, 1);
              return Next.done("x");
            }),
        answer(
            "step name",
            ctx -> {
              ctx.once(null, () -> {});
              return Next.done("x");
            }),
        answer(
            "request for a child",
            ctx -> {
              ctx.spawn(null);
              return Next.done("x");
            }));
  }

  private static Arguments answer(String names, Handler handler) {
    return Arguments.of(names, handler);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("answers")
  void aNullInAHandlerFailsItsAttempt(String names, Handler handler) {
    WorkflowDefinition job =
        WorkflowDefinition.of("job").start("a", handler::answer).retry(RetryPolicy.never()).build();
    try (ManualEngine engine = ManualEngine.with(job)) {
      long id = engine.client().start(StartRequest.of("job")).id();
      engine.runUntilIdle();
      assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.FAILED);
      assertThat(engine.client().history(id).getFirst().outcome().error())
          .contains(names, "is null; expected a value");
    }
  }
}
