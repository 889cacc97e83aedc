package io.millrace.verification.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.EngineBuilder;
import io.millrace.instance.OperatorAction;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.Chunk;
import io.millrace.sequence.SequenceService;
import io.millrace.sequence.SequenceStatus;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskContext;
import io.millrace.sequence.TaskHandler;
import io.millrace.sequence.TaskSequence;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The programs of {@code docs/task-sequences.md}. */
class SequencesPageTest {

  private final List<String> mails = new ArrayList<>();

  private EngineBuilder reports(EngineBuilder builder) {
    // docs:tasks
    return builder
        .task(Task.of("COUNT", "Report"), task -> task.setResult("orders", 1_250))
        .task(
            Task.of("MAIL", "Report"),
            task -> {
              int orders = task.result("orders", Integer.class).orElseThrow();
              send(task.window().from() + ": " + orders + " orders");
            })
        .sequence(
            TaskSequence.of("Report_weekly", "Report", Schedule.of(Frequency.WEEKLY))
                .task("COUNT")
                .task("MAIL"));
    // docs:end
  }

  private void send(String text) {
    mails.add(text);
  }

  private ManualEngine start() {
    return ManualEngine.with(ManualEngine.defaultSettings(), MemoryStore::new, this::reports);
  }

  @Test
  void aSequenceRunsOnItsSchedule() {
    try (ManualEngine engine = start()) {
      engine.advance(Duration.ofDays(7));
      assertThat(mails).containsExactly("2026-01-04T00:00:00Z: 1250 orders");
    }
  }

  @Test
  void peopleSteerIt() {
    try (ManualEngine manual = start()) {
      Engine engine = manual.engine();
      // docs:steer
      SequenceService sequenceService = engine.sequences();
      OperatorAction action = OperatorAction.by("ann", "the numbers were corrected");
      long execution = sequenceService.run("Report_weekly", Map.of("draft", true), action);
      // docs:end
      manual.runUntilIdle();
      assertThat(engine.client().get(execution).status().isTerminal()).isTrue();
      // docs:pause
      sequenceService.pause("Report_weekly", OperatorAction.by("ann", "the shop is closed"));
      sequenceService.resumeSchedule("Report_weekly");
      SequenceStatus status = sequenceService.get("Report_weekly").status();
      // docs:end
      assertThat(status).isEqualTo(SequenceStatus.COMPLETED);
    }
  }

  // docs:class
  public static final class Cleaning implements TaskHandler {

    @Override
    public void execute(TaskContext task) throws Exception {
      List<Chunk<Integer>> chunks =
          List.of(
              new Chunk<>("carts", () -> clean("carts")), new Chunk<>("logs", () -> clean("logs")));
      List<Integer> removed = task.chunks(Integer.class, chunks);
      task.statusLog("removed " + removed);
    }

    private static int clean(String table) {
      return table.length();
    }
  }

  // docs:end

  private static EngineBuilder upkeep(EngineBuilder builder) {
    // docs:component
    return builder.task(Task.of("CLEAN", "Upkeep").component(Cleaning.class));
    // docs:end
  }

  @Test
  void aTaskMayBeAClass() {
    try (ManualEngine engine =
        ManualEngine.with(
            ManualEngine.defaultSettings(), MemoryStore::new, SequencesPageTest::upkeep)) {
      SequenceService sequenceService = engine.engine().sequences();
      sequenceService.add(
          TaskSequence.of("Upkeep_1", "Upkeep", Schedule.of(Frequency.DAILY)).task("CLEAN"));
      engine.advance(Duration.ofDays(1));
      assertThat(sequenceService.history("Upkeep_1", null, 10).items())
          .singleElement()
          .satisfies(visit -> assertThat(visit.statusLog()).isEqualTo("removed [5, 4]"));
    }
  }
}
