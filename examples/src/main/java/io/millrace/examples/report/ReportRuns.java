package io.millrace.examples.report;

import io.millrace.WorkflowClient;
import io.millrace.examples.report.CollectedCommits.Part;
import io.millrace.examples.report.git.CommitArchive;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.instance.WorkflowInstance;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The runs on one repository. */
final class ReportRuns {

  private static final String ACTOR = "repository-report";

  private final WorkflowClient client;
  private final OutputFolders outputFolders;
  private final ReportedRepository reportedRepository;

  /**
   * A run that has not ended.
   *
   * @param id workflow instance
   * @param number number of the run on this repository, from 1
   * @param continued true if an earlier process started it
   */
  record Run(long id, int number, boolean continued) {}

  ReportRuns(
      WorkflowClient client, OutputFolders outputFolders, ReportedRepository reportedRepository) {
    this.client = client;
    this.outputFolders = outputFolders;
    this.reportedRepository = reportedRepository;
  }

  /** Continues the last run if it did not finish, else starts a new one. */
  Run continueOrStart() {
    WorkflowInstance last = last(InstanceStatus.values());
    if (last == null) {
      return start(1);
    }
    int number = input(last).run();
    if (last.status() == InstanceStatus.FINISHED || last.status() == InstanceStatus.CANCELLED) {
      return start(number + 1);
    }
    if (canContinue(last)) {
      resumeIfStopped(last);
      return new Run(last.id(), number, true);
    }
    if (!last.status().isTerminal()) {
      client.cancel(
          last.id(), OperatorAction.by(ACTOR, "its commits or files are gone; restarted"));
    }
    return start(number + 1);
  }

  /** Starts a run after the last one, unless that one is still running or has failed. */
  void startUnlessUnderWay() {
    WorkflowInstance last = last(InstanceStatus.values());
    if (last == null) {
      start(1);
    } else if (last.status() == InstanceStatus.FINISHED
        || last.status() == InstanceStatus.CANCELLED) {
      start(input(last).run() + 1);
    }
  }

  private Run start(int number) {
    WorkflowInstance finished = last(InstanceStatus.FINISHED);
    CollectedCommits since =
        finished == null
            ? null
            : client
                .variable(finished.id(), RepositoryReport.COLLECTED, CollectedCommits.class)
                .orElse(null);
    ReportInput input =
        new ReportInput(
            reportedRepository.folder().toString(), reportedRepository.key(), number, since);
    StartRequest request =
        StartRequest.of(RepositoryReport.TYPE, input)
            .businessKey(reportedRepository.businessKey())
            .externalId(reportedRepository.key() + "-run-" + number);
    return new Run(client.start(request).id(), number, false);
  }

  /** Resumes a paused or failed run, because the user has run the program again. */
  private void resumeIfStopped(WorkflowInstance instance) {
    switch (instance.status()) {
      case PAUSED -> client.resume(instance.id(), OperatorAction.by(ACTOR, "run again"));
      case FAILED, MANUAL -> client.retry(instance.id(), OperatorAction.by(ACTOR, "run again"));
      case CREATED, IN_PROGRESS, EXECUTING, FINISHED, CANCELLED -> {}
    }
  }

  /** False if the commits still to collect, or the files already written, are gone. */
  private boolean canContinue(WorkflowInstance instance) {
    Optional<CollectionPlan> plan =
        client.variable(instance.id(), RepositoryReport.PLAN, CollectionPlan.class);
    if (plan.isEmpty()) {
      return true;
    }
    int done = client.variable(instance.id(), RepositoryReport.DONE, Integer.class).orElse(0);
    int run = input(instance).run();
    CommitArchive commitArchive = outputFolders.archive(reportedRepository.key());
    return reportedRepository.contains(plan.get().head())
        && commitArchive.hasPlan(run)
        && commitArchive.hasParts(run, new Part(run, done).steps());
  }

  private @Nullable WorkflowInstance last(InstanceStatus... statuses) {
    InstanceQuery query =
        InstanceQuery.all()
            .type(RepositoryReport.TYPE)
            .businessKey(reportedRepository.businessKey())
            .limit(1);
    if (statuses.length == 1) {
      query = query.status(statuses[0]);
    }
    List<WorkflowInstance> found = client.search(query).items();
    return found.isEmpty() ? null : found.getFirst();
  }

  private ReportInput input(WorkflowInstance instance) {
    return client.input(instance.id(), ReportInput.class).orElseThrow();
  }
}
