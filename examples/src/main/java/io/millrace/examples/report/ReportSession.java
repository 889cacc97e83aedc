package io.millrace.examples.report;

import io.millrace.WorkflowClient;
import io.millrace.examples.report.ReportRuns.Run;
import io.millrace.examples.report.measure.HumanFormat;
import io.millrace.examples.report.measure.Measures;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.WorkflowInstance;
import java.time.Duration;

/**
 * A session that takes one run to its end and reports on it. It reads all state from the engine's
 * client.
 */
final class ReportSession {

  private static final Duration LOOK_EVERY = Duration.ofMillis(150);

  private final WorkflowClient client;
  private final OutputFolders outputFolders;
  private final ReportedRepository reportedRepository;
  private final ProgressDisplay progressDisplay;

  ReportSession(
      WorkflowClient client,
      OutputFolders outputFolders,
      ReportedRepository reportedRepository,
      ProgressDisplay progressDisplay) {
    this.client = client;
    this.outputFolders = outputFolders;
    this.reportedRepository = reportedRepository;
    this.progressDisplay = progressDisplay;
  }

  /**
   * Starts or continues a run, and shows it until it ends or a stop is signaled. Returns the exit
   * code.
   */
  int run(ShutdownSignal stop) throws InterruptedException {
    long begin = System.nanoTime();
    Run run = new ReportRuns(client, outputFolders, reportedRepository).continueOrStart();
    greet(run);
    WorkflowInstance instance = client.get(run.id());
    while (!isOver(instance.status()) && !stop.await(LOOK_EVERY)) {
      instance = client.get(run.id());
      progressDisplay.show(RunProgress.of(instance), System.nanoTime());
    }
    if (instance.status() == InstanceStatus.FINISHED) {
      conclude(run, Duration.ofNanos(System.nanoTime() - begin));
      return RepositoryReportMain.OK;
    }
    if (isOver(instance.status())) {
      progressDisplay.say(failure(run, instance));
    }
    return RepositoryReportMain.FAILED;
  }

  /**
   * True if the program stops showing the run; a run that waits for a person continues only when
   * the program is started again.
   */
  private static boolean isOver(InstanceStatus status) {
    return switch (status) {
      case FINISHED, FAILED, CANCELLED, MANUAL, PAUSED -> true;
      case CREATED, IN_PROGRESS, EXECUTING -> false;
    };
  }

  private void greet(Run run) {
    progressDisplay.say(
        "Report on " + reportedRepository.folder() + " (" + reportedRepository.branch() + ")");
    if (run.continued()) {
      progressDisplay.say(
          "Continuing run %s where it stopped: %s."
              .formatted(run.number(), stopped(client.get(run.id()))));
    }
  }

  private String stopped(WorkflowInstance instance) {
    int done = client.variable(instance.id(), RepositoryReport.DONE, Integer.class).orElse(0);
    int total =
        client
            .variable(instance.id(), RepositoryReport.PLAN, CollectionPlan.class)
            .map(CollectionPlan::total)
            .orElse(0);
    return new RunProgress(RunProgress.of(instance).state(), done, total).words();
  }

  private void conclude(Run run, Duration took) {
    Measures measures =
        client.variable(run.id(), RepositoryReport.MEASURES, Measures.class).orElseThrow();
    CollectionPlan collectionPlan =
        client.variable(run.id(), RepositoryReport.PLAN, CollectionPlan.class).orElseThrow();
    collectionPlan.notes().forEach(note -> progressDisplay.say("Note: " + note));
    progressDisplay.say(
        "%s, %s, %s"
            .formatted(
                HumanFormat.count(measures.totals().commits(), "commit"),
                HumanFormat.count(measures.totals().authors(), "author"),
                median(measures)));
    progressDisplay.say(
        "Run %s collected %s and took %s."
            .formatted(
                run.number(),
                HumanFormat.count(collectionPlan.total(), "new commit"),
                HumanFormat.seconds(took)));
    progressDisplay.say(
        "Report: "
            + client.variable(run.id(), RepositoryReport.REPORT, String.class).orElseThrow());
    if (!collectionPlan.head().equals(reportedRepository.head())) {
      progressDisplay.say(
          "There are newer commits since the run began; run it again to include them.");
    }
  }

  private static String median(Measures measures) {
    return measures
        .median()
        .map(gap -> "a median of " + HumanFormat.duration(gap) + " between commits")
        .orElse("too few for a median between commits");
  }

  private String failure(Run run, WorkflowInstance instance) {
    return "Run %s has stopped as %s in %s: %s. Running it again goes on there; details are in %s."
        .formatted(
            run.number(),
            instance.status().code(),
            RunProgress.of(instance).state(),
            instance.position().reason(),
            outputFolders.logs());
  }
}
