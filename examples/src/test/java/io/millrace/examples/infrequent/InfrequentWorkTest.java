package io.millrace.examples.infrequent;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.data.KeyContent;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class InfrequentWorkTest {

  private static final ZoneId ZONE = ZoneId.of("Africa/Johannesburg");
  private static final Duration DAY = Duration.ofDays(1);

  private final List<String> days = new ArrayList<>();

  private static ManualEngine run(ContinuousWorkflow workflow) {
    ManualEngine engine =
        ManualEngine.with(
            ManualEngine.defaultSettings(),
            MemoryStore::new,
            builder -> builder.continuous(workflow));
    engine.runUntilIdle();
    return engine;
  }

  private void isDoneOnceADay(ContinuousWorkflow workflow) {
    try (ManualEngine engine = run(workflow)) {
      engine.advance(DAY.multipliedBy(3));
      assertThat(days).hasSize(3).doesNotHaveDuplicates().isSorted();
    }
  }

  @Test
  void withAKeyTheWorkIsDoneOnceADay() {
    isDoneOnceADay(InfrequentWork.withKey("close", ZONE, days::add));
  }

  @Test
  void inALineTheWorkIsDoneOnceADay() {
    isDoneOnceADay(InfrequentWork.withPeriodLedger("close", ZONE, days::add));
  }

  @Test
  void anAttemptThatFailsAfterTheKeyWasSetIsRepeated() {
    Consumer<String> once =
        day -> {
          days.add(day);
          if (days.size() == 1) {
            throw new IllegalStateException("the books are open");
          }
        };
    try (ManualEngine engine = run(InfrequentWork.withKey("close", ZONE, once))) {
      engine.advance(DAY);
      assertThat(days).hasSize(2);
      assertThat(days.getFirst()).isEqualTo(days.getLast());
    }
  }

  @Test
  void aDayThatAnotherProcessHasStartedIsNotClosedAgain() {
    try (ManualEngine engine = run(InfrequentWork.withKey("close", ZONE, days::add))) {
      String today = engine.clock().instant().atZone(ZONE).toLocalDate().toString();
      String tomorrow = engine.clock().instant().plus(DAY).atZone(ZONE).toLocalDate().toString();
      for (String day : List.of(today, tomorrow)) {
        engine
            .engine()
            .keyValues()
            .set(InfrequentWork.GROUP, "close " + day, KeyContent.of("another process"));
      }
      engine.advance(DAY);
      assertThat(days).isEmpty();
    }
  }

  @Test
  void theProgramAsksTwiceAndDoesItOnce() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    InfrequentMain.run(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("The day is closed.", "It was asked for twice.");
  }
}
