package io.millrace.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailureFingerprintTest {

  private static String of(String reason) {
    return FailureFingerprint.of("order", "pay", reason);
  }

  private static String of(Throwable failure) {
    return FailureFingerprint.of("order", "pay", failure);
  }

  private static IOException timeout(int order) {
    return new IOException("order " + order + " timed out");
  }

  private static IOException elsewhere() {
    return new IOException("timed out");
  }

  @Test
  void timeoutsOfManyOrdersAreOneGroup() {
    assertThat(IntStream.range(0, 87).mapToObj(i -> of(timeout(i))).distinct()).hasSize(1);
    assertThat(IntStream.range(0, 87).mapToObj(i -> of("order " + i + " timed out")).distinct())
        .hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "order 1 of 17 | order 25 of 3",
        "took 1.5 s | took 30 s",
        "customer f81d4fae-7dec-11d0-a765-00a0c91e6bf6 | customer 16fd2706-8baf-433b-82eb-8c7fada847da",
        "invoice A-17/3 refused | invoice B-1/44 refused",
        "card 'Anna Berg' refused | card 'Bo' refused",
        "card \"Anna\" refused | card \"Bo\" refused",
        "at 2026-11-21T16:21:47Z | at 2025-01-02T03:04:05Z",
        "no answer from 10.0.0.1:80 | no answer from 10.0.0.2:443"
      })
  void whatIsParticularDoesNotCount(String one, String other) {
    assertThat(of(one)).isEqualTo(of(other));
  }

  @Test
  void whoCallsTheHandlerDoesNotCount() {
    StackTraceElement handler = new StackTraceElement("shop.Orders", "ship", "Orders.java", 7);
    StackTraceElement runner =
        new StackTraceElement(
            "io.millrace.dispatch.AttemptRunner", "call", "AttemptRunner.java", 9);
    StackTraceElement interceptor =
        new StackTraceElement("shop.Interceptor", "intercept", "Interceptor.java", 5);
    IOException bare = elsewhere();
    bare.setStackTrace(new StackTraceElement[] {handler, runner});
    IOException intercepted = elsewhere();
    intercepted.setStackTrace(new StackTraceElement[] {handler, runner, interceptor, runner});
    assertThat(of(intercepted)).isEqualTo(of(bare));
  }

  @Test
  void whatIsSaidCounts() {
    assertThat(
            Stream.of("refused", "timed out", "isn't there, so we can't", "isn't here, so we can't")
                .map(FailureFingerprintTest::of))
        .doesNotHaveDuplicates();
  }

  @Test
  void typeStateAndWayOfFailingCount() {
    assertThat(
            List.of(
                of("refused"),
                FailureFingerprint.of("refund", "pay", "refused"),
                FailureFingerprint.of("order", "ship", "refused"),
                FailureFingerprint.ofDeaths("order", "pay"),
                of(timeout(1)),
                of(elsewhere()),
                of(new IllegalStateException(timeout(1))),
                of(new IllegalStateException())))
        .doesNotHaveDuplicates()
        .allMatch(print -> print.matches("[0-9a-f]{16}"));
  }

  @Test
  void linesDoNotCount() {
    StackTraceElement here = new StackTraceElement("A", "run", "A.java", 10);
    StackTraceElement there = new StackTraceElement("A", "run", "A.java", 99);
    IOException one = timeout(1);
    one.setStackTrace(new StackTraceElement[] {here});
    IOException other = timeout(1);
    other.setStackTrace(new StackTraceElement[] {there});

    assertThat(of(one)).isEqualTo(of(other)).isNotEqualTo(of(elsewhere()));
  }

  private static String thrownIn(String... frames) {
    IndexOutOfBoundsException failure = new IndexOutOfBoundsException();
    failure.setStackTrace(
        Stream.of(frames)
            .map(frame -> {
              int dot = frame.lastIndexOf('.');
              return new StackTraceElement(
                  frame.substring(0, dot), frame.substring(dot + 1), null, 1);
            })
            .toArray(StackTraceElement[]::new));
    return of(failure);
  }

  @Test
  void theInsidesOfTheRuntimeDoNotCount() {
    String older =
        thrownIn(
            "jdk.internal.util.Preconditions.outOfBounds",
            "jdk.internal.util.Preconditions.checkIndex",
            "java.util.ArrayList.get",
            "shop.Cart.first");
    String newer =
        thrownIn("java.util.Objects.checkIndex", "java.util.ArrayList.get", "shop.Cart.first");

    assertThat(older).isEqualTo(newer);
  }

  @Test
  void thePlaceCountsHoweverDeepInTheRuntimeItWasThrown() {
    String deep =
        "jdk.internal.util.Preconditions.outOfBounds jdk.internal.util.Preconditions.outOfBoundsCheckIndex"
            + " jdk.internal.util.Preconditions.checkIndex java.util.Objects.checkIndex java.util.ArrayList.get ";

    assertThat(thrownIn((deep + "shop.Cart.first").split(" ", -1)))
        .isNotEqualTo(thrownIn((deep + "shop.Cart.last").split(" ", -1)));
  }

  @ParameterizedTest
  @CsvSource({
    "shop.Cart$$SpringCGLIB$$0.first, shop.Cart$$SpringCGLIB$$1.first",
    "shop.Cart$$FastClassBySpringCGLIB$$7a1f.invoke, shop.Cart$$FastClassBySpringCGLIB$$bc02.invoke",
    "shop.Cart$HibernateProxy$aXkQ2bZ.first, shop.Cart$HibernateProxy$Tq0oPw1.first",
    "shop.Cart.lambda$first$0, shop.Cart.lambda$first$3",
    "shop.$Proxy17.first, shop.$Proxy4.first"
  })
  void generatedNamesDoNotCount(String one, String other) {
    assertThat(thrownIn(one)).isEqualTo(thrownIn(other));
  }

  @Test
  void anExceptionThatFailsItselfHasOneToo() {
    class Broken extends RuntimeException {
      private static final long serialVersionUID = 1L;

      @Override
      public StackTraceElement[] getStackTrace() {
        throw new IllegalStateException("broken");
      }
    }
    assertThat(of(new Broken())).isEqualTo(of(new Broken())).isNotEqualTo(of(timeout(1)));
  }

  @Test
  void longReasonsAndCirclesOfCausesEnd() {
    IOException one = timeout(1);
    one.initCause(new IllegalStateException(one));
    assertThat(of(one)).hasSize(16);
    assertThat(of("x".repeat(100_000))).isEqualTo(of("x".repeat(1_000)));
  }
}
