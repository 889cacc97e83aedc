package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.Next;
import io.millrace.definition.StateHandler;
import io.millrace.fixtures.EngineFixture;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.retry.RetryPolicy;
import io.millrace.testing.ManualEngine;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of attempts that throw. */
class HandlerFailuresTest extends EngineFixture {

  private static StateHandler throwing(Supplier<Throwable> failure) {
    return ctx -> HandlerFailuresTest.<RuntimeException>sneak(failure.get());
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> Next sneak(Throwable failure) throws T {
    throw (T) failure;
  }

  private long runThrowing(Supplier<Throwable> failure) {
    run(job(throwing(failure)).retry(DOUBLING.maxAttempts(2)).build());
    long id = start("job");
    engine.advance(Duration.ofMinutes(1));
    return id;
  }

  private void assertFailedTwice(long id) {
    assertThat(status(id)).isEqualTo(InstanceStatus.FAILED);
    assertThat(history(id))
        .extracting(HistoryEntry::type)
        .containsExactly(
            HistoryEntryType.STATE_EXECUTION_FAILED, HistoryEntryType.STATE_EXECUTION_FAILED);
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        OutOfMemoryError.class,
        StackOverflowError.class,
        LinkageError.class,
        AssertionError.class,
        InterruptedException.class,
        Exception.class,
        Throwable.class
      })
  void everythingThatIsThrownIsAFailedAttempt(Class<? extends Throwable> type) throws Exception {
    Throwable failure = type.getConstructor().newInstance();
    long id = runThrowing(() -> failure);
    assertFailedTwice(id);
    assertThat(last(id).outcome().error()).contains(type.getName());
    assertThat(last(id).outcome().reason()).contains("attempt 2 of 2 failed");
  }

  /** An exception of which one given method throws. */
  private static final class Evil extends RuntimeException {
    private final String broken;
    private final transient Supplier<RuntimeException> fault;

    Evil(String broken, Supplier<RuntimeException> fault) {
      this.broken = broken;
      this.fault = fault;
    }

    private void maybe(String method) {
      if (broken.equals(method)) {
        throw fault.get();
      }
    }

    @Override
    public String toString() {
      maybe("toString");
      return "Evil";
    }

    @Override
    public String getMessage() {
      maybe("getMessage");
      return "evil";
    }

    @Override
    public synchronized Throwable getCause() {
      maybe("getCause");
      return null;
    }

    @Override
    public StackTraceElement[] getStackTrace() {
      maybe("getStackTrace");
      return super.getStackTrace();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"toString", "getMessage", "getCause", "getStackTrace"})
  void anExceptionWhoseOwnMethodsThrowIsAFailedAttempt(String method) {
    assertFailedTwice(runThrowing(() -> new Evil(method, IllegalStateException::new)));
  }

  @Test
  void anExceptionWhoseToStringOverflowsTheStackIsAFailedAttempt() {
    assertFailedTwice(
        runThrowing(() ->
            new Evil(
                "toString",
                () -> {
                  throw new StackOverflowError();
                })));
  }

  @Test
  @SuppressWarnings({"OverrideThrowableToString", "ToStringReturnsNull"})
  void anExceptionWithoutTextIsAFailedAttempt() {
    assertFailedTwice(
        runThrowing(() ->
            new RuntimeException() {
              @Override
              public String toString() {
                return null;
              }
            }));
  }

  @Test
  void aHugeMessageIsCutInTheHistory() {
    long id = runThrowing(() -> new IllegalStateException("x".repeat(1_000_000)));
    assertFailedTwice(id);
    assertThat(last(id).outcome().reason()).hasSizeLessThan(1_000);
  }

  @Test
  void aFailedAttemptChangesNothing() {
    run(
        job(
                ctx -> {
                  ctx.set("a", 2);
                  ctx.set("b", 1);
                  ctx.remove("c");
                  ctx.spawn(StartRequest.of("job"));
                  ctx.signal("sig");
                  throw new IllegalStateException("no");
                })
            .retry(DOUBLING.maxAttempts(3))
            .build());
    long id = start(StartRequest.of("job").variable("a", 1).variable("c", 3));
    client().signal(id, "sig");
    engine.runUntilIdle();
    assertThat(client().variables(id))
        .containsOnly(java.util.Map.entry("a", "1"), java.util.Map.entry("c", "3"));
    assertThat(get(id).children().total()).isZero();
    assertThat(get(id).details().inboxCount()).isEqualTo(1);
    assertThat(client().inboxMessages(id, 10).getFirst().consumedSeq()).isNull();
    assertThat(last(id).outcome().variables()).isNull();
  }

  @Test
  void waitsDoubleBetweenAttempts() {
    run(job(throwing(IllegalStateException::new)).retry(DOUBLING.maxAttempts(6)).build());
    long id = start("job");
    engine.advance(Duration.ofMinutes(2));
    assertThat(history(id))
        .extracting(a -> Duration.between(ManualEngine.START, a.span().ended()).toSeconds())
        .containsExactly(0L, 1L, 3L, 7L, 15L, 31L);
    assertThat(history(id)).extracting(a -> a.author().attempt()).containsExactly(1, 2, 3, 4, 5, 6);
  }

  @Test
  void afterTheLastAttemptTheFailureTransitionIsTaken() {
    run(
        job(throwing(IllegalStateException::new))
            .state("mend", ctx -> Next.moveTo("end", "attempt " + ctx.attempt()))
            .retry("work", DOUBLING.maxAttempts(2))
            .onFailure("mend")
            .build());
    long id = start("job");
    engine.advance(Duration.ofMinutes(1));
    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
    assertThat(history(id)).extracting(a -> a.move().to()).containsExactly("work", "mend", "end");
    assertThat(last(id).outcome().reason()).isEqualTo("attempt 1");
  }

  @Test
  void theGlobalFailureStateItselfEndsAsFailed() {
    run(
        job(ctx -> Next.fail("one"))
            .state("mend", ctx -> Next.fail("two"))
            .onFailure("mend")
            .build());
    long id = startAndRun();
    assertThat(status(id)).isEqualTo(InstanceStatus.FAILED);
    assertThat(get(id).state()).isEqualTo("mend");
  }

  @Test
  void aFailureTransitionToAnEndStateFinishes() {
    run(job(ctx -> Next.fail("no")).onFailure("work", "end").build());
    assertThat(status(startAndRun())).isEqualTo(InstanceStatus.FINISHED);
  }

  private void assertNotRetried(StateHandler handler, String message) {
    run(job(handler).retry(DOUBLING).build());
    long id = startAndRun();
    engine.advance(Duration.ofHours(1));
    assertThat(history(id)).hasSize(1);
    assertThat(status(id)).isEqualTo(InstanceStatus.FAILED);
    assertThat(last(id).outcome().reason()).contains(message, "not retried");
    assertThat(last(id).outcome().error()).contains("Exception");
  }

  @Test
  void aValueOverTheLimitIsNotTriedAgain() {
    assertNotRetried(
        ctx -> {
          ctx.set("v", "x".repeat(2_000_000));
          return Next.done("set");
        },
        "Variable 'v'");
  }

  @Test
  void aResultOfAStepOverTheLimitIsNotTriedAgain() {
    assertNotRetried(
        ctx -> Next.done(ctx.once("s", String.class, () -> "x".repeat(2_000_000))), "Step 's'");
  }

  @Test
  @SuppressWarnings("NullAway")
  void aVariableThatIsSetToNullIsNotTriedAgainHoweverItIsWrapped() {
    assertNotRetried(
        ctx -> {
          try {
            ctx.set("v", null);
          } catch (RuntimeException e) {
            throw new IllegalStateException(e);
          }
          return Next.done("set");
        },
        "Variable 'v' is null");
  }

  @Test
  void aCaughtMisuseDoesNotEndTheRetriesOfAnotherFailure() {
    run(
        job(
                ctx -> {
                  try {
                    ctx.set("", "x");
                  } catch (RuntimeException e) {
                    log.add("caught");
                  }
                  throw new IllegalStateException("other");
                })
            .retry(DOUBLING.maxAttempts(2))
            .build());
    long id = startAndRun();
    engine.advance(Duration.ofHours(1));
    assertFailedTwice(id);
  }

  @Test
  void aNonRetryableCauseEndsAtOnce() {
    run(
        job(throwing(
                () -> new RuntimeException(new RuntimeException(new ArithmeticException("deep")))))
            .retry(DOUBLING.neverOn(ArithmeticException.class))
            .build());
    long id = startAndRun();
    assertThat(status(id)).isEqualTo(InstanceStatus.FAILED);
    assertThat(history(id)).hasSize(1);
    assertThat(last(id).outcome().reason()).contains("not retried: java.lang.ArithmeticException");
  }

  @Test
  void noAttemptBeginsThatDoesNotFitIntoMaxElapsed() {
    run(
        job(throwing(IllegalStateException::new))
            .retry(
                RetryPolicy.fixed(Duration.ofMinutes(1))
                    .jitter(0)
                    .maxAttempts(100)
                    .maxElapsed(Duration.ofMinutes(5)))
            .build());
    long id = start("job");
    engine.advance(Duration.ofHours(1));
    assertThat(status(id)).isEqualTo(InstanceStatus.FAILED);
    assertThat(history(id)).hasSize(6);
  }

  @Test
  void aFailingWaitHandlerBacksOffThoughItsSignalIsStillThere() {
    run(
        job(ctx -> Next.moveTo("wait", "x"))
            .await(
                "wait",
                "sig",
                (ctx, signal) -> {
                  throw new IllegalStateException("no");
                })
            .retry(DOUBLING.maxAttempts(3))
            .build());
    long id = startAndRun();
    client().signal(id, "sig");
    engine.runUntilIdle();
    assertThat(get(id).lease().attempt()).isEqualTo(1);
    assertThat(get(id).nextActivation()).isEqualTo(ManualEngine.START.plusSeconds(1));
    engine.advance(Duration.ofMinutes(1));
    assertThat(status(id)).isEqualTo(InstanceStatus.FAILED);
  }

  @Test
  void aFailingHandlerDoesNotStopOthers() {
    run(job(throwing(OutOfMemoryError::new)).build(), good());
    start("job");
    long id = start("good");
    engine.runUntilIdle();
    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
  }

  private static io.millrace.definition.WorkflowDefinition good() {
    return io.millrace.definition.WorkflowDefinition.of("good")
        .start("a", ctx -> Next.done("ok"))
        .build();
  }
}
