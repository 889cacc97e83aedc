package io.millrace.server.api;

import io.millrace.EngineBuilder;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.Triggers;
import io.millrace.definition.Next;
import io.millrace.report.ReportComponent;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.SequenceSettings;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/** Tasks of the test server, and sequences of them. */
final class SampleTasks {

  static final String TYPE = "Count";

  private SampleTasks() {}

  /** Adds two tasks that succeed, one that always fails, and one that nothing runs here. */
  static EngineBuilder tasks(EngineBuilder builder) {
    Task.Options once = new Task.Options(0, null, null, false, 1, Map.of());
    return builder
        .sequences(SequenceSettings.defaults())
        .task(Task.of("COUNT", TYPE), task -> task.setResult("orders", 3))
        .task(
            Task.of("MAIL", TYPE).channel("count.mail"),
            task -> task.statusLog("mailed " + task.result("orders", Integer.class).orElse(0)))
        .task(
            Task.of("FAIL", TYPE).options(once),
            task -> {
              throw new IllegalStateException("no ink");
            })
        .handler(ReportComponent.PDF, task -> task.statusLog("printed"))
        .task(Task.of("ABSENT", TYPE).component("com.example.Absent"));
  }

  /** Adds continuous workflows that accept events, and keep how they were started. */
  static EngineBuilder continuous(EngineBuilder builder) {
    for (String name : List.of("gate", "inbox", "switched")) {
      builder.continuous(
          ContinuousWorkflow.of(name, Triggers.webhook())
              .handler((context, event) -> {
                context.set("mode", event.start().mode().code());
                return Next.done("taken");
              }));
    }
    return builder;
  }

  static TaskSequence daily(String sequenceId) {
    return TaskSequence.of(sequenceId, TYPE, Schedule.of(Frequency.DAILY))
        .task("COUNT")
        .task("MAIL");
  }

  static TaskSequence failing(String sequenceId) {
    return TaskSequence.of(sequenceId, TYPE, Schedule.of(Frequency.DAILY))
        .task("COUNT")
        .task("FAIL");
  }

  static Schedule hourlySince(Instant anchor) {
    return Schedule.every(Duration.ofHours(1), anchor.truncatedTo(ChronoUnit.HOURS));
  }
}
