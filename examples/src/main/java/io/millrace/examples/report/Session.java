package io.millrace.examples.report;

import io.millrace.WorkflowClient;
import io.millrace.examples.report.Runs.Run;
import io.millrace.examples.report.measure.Measures;
import io.millrace.examples.report.measure.Words;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.WorkflowInstance;
import java.time.Duration;

/** Takes one run to its end and tells about it. All it knows comes from the engine's client. */
final class Session {

  private static final Duration LOOK_EVERY = Duration.ofMillis(150);

  private final WorkflowClient client;
  private final Folders folders;
  private final Repository repository;
  private final Screen screen;

  Session(WorkflowClient client, Folders folders, Repository repository, Screen screen) {
    this.client = client;
    this.folders = folders;
    this.repository = repository;
    this.screen = screen;
  }

  /**
   * Starts or continues a run, and shows it until it has ended or the program shall stop; the
   * answer is the exit code.
   */
  int run(StopSignal stop) throws InterruptedException {
    long begin = System.nanoTime();
    Run run = new Runs(client, folders, repository).continueOrStart();
    greet(run);
    WorkflowInstance instance = client.get(run.id());
    while (!isOver(instance.status()) && !stop.await(LOOK_EVERY)) {
      instance = client.get(run.id());
      screen.show(Moment.of(instance), System.nanoTime());
    }
    if (instance.status() == InstanceStatus.FINISHED) {
      conclude(run, Duration.ofNanos(System.nanoTime() - begin));
      return RepositoryReportMain.OK;
    }
    if (isOver(instance.status())) {
      screen.say(failure(run, instance));
    }
    return RepositoryReportMain.FAILED;
  }

  /** A run in the hands of a person goes on only when the program is started again. */
  private static boolean isOver(InstanceStatus status) {
    return switch (status) {
      case FINISHED, FAILED, CANCELLED, MANUAL, PAUSED -> true;
      case CREATED, IN_PROGRESS, EXECUTING -> false;
    };
  }

  private void greet(Run run) {
    screen.say("Report on " + repository.folder() + " (" + repository.branch() + ")");
    if (run.continued()) {
      screen.say(
          "Continuing run %s where it stopped: %s."
              .formatted(run.number(), stopped(client.get(run.id()))));
    }
  }

  private String stopped(WorkflowInstance instance) {
    int done = client.variable(instance.id(), RepositoryReport.DONE, Integer.class).orElse(0);
    int total =
        client
            .variable(instance.id(), RepositoryReport.PLAN, Plan.class)
            .map(Plan::total)
            .orElse(0);
    return new Moment(Moment.of(instance).state(), done, total).words();
  }

  private void conclude(Run run, Duration took) {
    Measures measures =
        client.variable(run.id(), RepositoryReport.MEASURES, Measures.class).orElseThrow();
    Plan plan = client.variable(run.id(), RepositoryReport.PLAN, Plan.class).orElseThrow();
    plan.notes().forEach(note -> screen.say("Note: " + note));
    screen.say(
        "%s, %s, %s"
            .formatted(
                Words.count(measures.totals().commits(), "commit"),
                Words.count(measures.totals().authors(), "author"),
                median(measures)));
    screen.say(
        "Run %s collected %s and took %s."
            .formatted(run.number(), Words.count(plan.total(), "new commit"), Words.seconds(took)));
    screen.say(
        "Report: "
            + client.variable(run.id(), RepositoryReport.REPORT, String.class).orElseThrow());
    if (!plan.head().equals(repository.head())) {
      screen.say("There are newer commits since the run began; run it again to include them.");
    }
  }

  private static String median(Measures measures) {
    return measures
        .median()
        .map(gap -> "a median of " + Words.duration(gap) + " between commits")
        .orElse("too few for a median between commits");
  }

  private String failure(Run run, WorkflowInstance instance) {
    return "Run %s has stopped as %s in %s: %s. Running it again goes on there; details are in %s."
        .formatted(
            run.number(),
            instance.status().code(),
            Moment.of(instance).state(),
            instance.position().reason(),
            folders.logs());
  }
}
