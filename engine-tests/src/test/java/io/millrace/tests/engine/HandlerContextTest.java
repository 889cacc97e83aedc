package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.codec.CodecException;
import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.fixtures.EngineFixture;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.Progress;
import io.millrace.instance.StartRequest;
import io.millrace.testing.ManualEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tests of the context of a handler: its values, and the values it may change. */
class HandlerContextTest extends EngineFixture {

  /**
   * Runs a job whose handler checks its context; a failed check fails the test, not only the
   * attempt.
   */
  private long check(StartRequest request, Consumer<StateContext> checks) {
    List<Throwable> faults = new ArrayList<>();
    run(
        job(
                ctx -> {
                  try {
                    checks.accept(ctx);
                  } catch (Throwable fault) {
                    faults.add(fault);
                  }
                  return Next.moveTo("end", "checked");
                })
            .build());
    long id = start(request);
    engine.runUntilIdle();
    assertThat(faults).isEmpty();
    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
    return id;
  }

  private long check(Consumer<StateContext> checks) {
    return check(StartRequest.of("job"), checks);
  }

  @Test
  void theContextKnowsItsInstance() {
    check(
        StartRequest.of("job").businessKey("b").externalId("e"),
        ctx -> {
          assertThat(ctx.type()).isEqualTo("job");
          assertThat(ctx.state()).isEqualTo("work");
          assertThat(ctx.businessKey()).isEqualTo("b");
          assertThat(ctx.externalId()).isEqualTo("e");
          assertThat(ctx.now()).isEqualTo(ManualEngine.START);
          assertThat(ctx.deadline()).isNull();
          assertThat(ctx.cancelToken().isCancelled()).isFalse();
        });
  }

  @Test
  void anOversizedVariableIsRefusedAtTheCall() {
    long id =
        check(ctx ->
            assertThatThrownBy(() -> ctx.set("big", "x".repeat(1 << 20)))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("1048578 bytes")
                .hasMessageContaining("1048576"));
    assertThat(client().variables(id)).isEmpty();
  }

  @Test
  void aTooDeepVariableIsRefusedAtTheCall() {
    check(ctx -> {
      Object deep = List.of();
      for (int i = 0; i < 64; i++) {
        deep = List.of(deep);
      }
      Object tooDeep = deep;
      assertThatThrownBy(() -> ctx.set("deep", tooDeep)).isInstanceOf(CodecException.class);
    });
  }

  @Test
  void halfOfASurrogatePairIsRefusedAtTheCall() {
    check(ctx -> {
      Object nested = List.of(Map.of("k", "x\uD83D"));
      assertThatThrownBy(() -> ctx.set("v", nested))
          .isInstanceOf(CodecException.class)
          .hasMessageContainingAll("Variable 'v'", "half of a surrogate pair");
      ctx.set("v", "x😀");
    });
  }

  @Test
  void aBadVariableNameIsRefusedAtTheCall() {
    check(ctx -> {
      assertThatThrownBy(() -> ctx.set(" ", 1)).isInstanceOf(InvalidRequestException.class);
      assertThatThrownBy(() -> ctx.set("a\0b", 1)).isInstanceOf(InvalidRequestException.class);
      assertThatThrownBy(() -> ctx.set("x".repeat(101), 1)).hasMessageContaining("1 to 100");
      assertThatThrownBy(() -> ctx.set("a\uD83D", 1)).hasMessageContaining("half of a surrogate");
      ctx.set("x".repeat(100), 1);
    });
  }

  @Test
  void aMissingInputIsToldClearly() {
    check(ctx ->
        assertThatThrownBy(() -> ctx.input(String.class))
            .isInstanceOf(CodecException.class)
            .hasMessageContaining("without input")
            .hasMessageContaining("java.lang.String"));
  }

  @Test
  void anInputOfAnotherTypeIsToldClearly() {
    check(
        StartRequest.of("job", "text"),
        ctx ->
            assertThatThrownBy(() -> ctx.input(Integer.class))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("java.lang.Integer"));
  }

  @Test
  void aMissingVariableIsToldWithTheKnownOnes() {
    check(
        StartRequest.of("job").variable("there", 1),
        ctx -> {
          assertThat(ctx.find("gone", String.class)).isEmpty();
          assertThatThrownBy(() -> ctx.get("gone", String.class))
              .isInstanceOf(CodecException.class)
              .hasMessageContaining("'gone'")
              .hasMessageContaining("there");
        });
  }

  @Test
  void changesAreSeenByTheSameHandlerAndStoredWithItsAnswer() {
    long id =
        check(
            StartRequest.of("job").variable("a", 1).variable("b", 2),
            ctx -> {
              ctx.set("a", 10);
              ctx.remove("b");
              ctx.set("c", 3);
              ctx.remove("none");
              assertThat(ctx.get("a", Integer.class)).isEqualTo(10);
              assertThat(ctx.find("b", Integer.class)).isEmpty();
            });
    assertThat(client().variables(id)).isEqualTo(Map.of("a", "10", "c", "3"));
    assertThat(last(id).outcome().variables()).isEqualTo("{\"a\":10,\"b\":null,\"c\":3}");
    assertThat(get(id).details().variableCount()).isEqualTo(2);
  }

  @Test
  void aValueSetBackIsNoChange() {
    long id =
        check(
            StartRequest.of("job").variable("a", 1),
            ctx -> {
              ctx.set("a", 2);
              ctx.set("a", 1);
              ctx.set("b", 1);
              ctx.remove("b");
            });
    assertThat(last(id).outcome().variables()).isNull();
  }

  @Test
  void aRemovedVariableStaysRemovedInTheNextStateOfTheChain() {
    run(
        job(
                ctx -> {
                  ctx.remove("a");
                  ctx.set("b", "new");
                  return Next.moveTo("second", "x");
                })
            .state(
                "second",
                ctx -> Next.moveTo("end", ctx.find("a", String.class) + ctx.get("b", String.class)))
            .build());
    long id = start(StartRequest.of("job").variable("a", "old"));
    engine.runUntilIdle();
    assertThat(last(id).outcome().reason()).isEqualTo("Optional.emptynew");
  }

  @Test
  void anEmptyOptionalIsAValueThatCanBeAskedFor() {
    check(ctx -> {
      ctx.set("maybe", Optional.empty());
      assertThat(ctx.find("maybe", String.class)).isEmpty();
    });
  }

  @Test
  void aStepNameUsedTwiceInOneAttemptIsRefused() {
    check(ctx -> {
      try {
        ctx.once("mail", () -> {});
        assertThatThrownBy(() -> ctx.once("mail", () -> {}))
            .isInstanceOf(InvalidRequestException.class)
            .hasMessageContaining("Step 'mail' was used twice in one attempt of state 'work'");
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    });
  }

  @Test
  void progressIsVisibleMeanwhileAndItsLastWordIsKept() {
    long id =
        check(ctx -> {
          ctx.progress(1, 3, "one");
          engine.runDue();
          assertThat(get(ctx.instanceId()).progress()).isEqualTo(new Progress(1, 3, "one"));
          ctx.progress(3, 3, "all");
        });
    assertThat(get(id).progress()).isEqualTo(new Progress(3, 3, "all"));
  }

  @Test
  void progressIsWrittenAtMostOnceASecond() {
    check(ctx -> {
      ctx.progress(1, 3, null);
      engine.runDue();
      ctx.progress(2, 3, null);
      engine.runDue();
      assertThat(get(ctx.instanceId()).progress()).isEqualTo(new Progress(1, 3, null));
      engine.clock().advance(Duration.ofSeconds(1));
      engine.runDue();
      assertThat(get(ctx.instanceId()).progress()).isEqualTo(new Progress(2, 3, null));
    });
  }
}
