package io.millrace.examples.report;

import io.millrace.WorkflowClient;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.examples.report.git.RepositoryException;
import java.nio.file.Path;
import java.util.Optional;

/** Reports on one repository, for a program that also does other things. Thread-safe. */
public final class RepositoryReports {

  private final OutputFolders outputFolders;
  private final Path repository;

  private RepositoryReports(OutputFolders outputFolders, Path repository) {
    this.outputFolders = outputFolders;
    this.repository = repository;
  }

  /**
   * Creates the reports on a repository.
   *
   * @return empty if {@code repository} is not a readable repository, or has no commits
   */
  public static Optional<RepositoryReports> on(Path repository, OutputFolders outputFolders) {
    try {
      return ReportedRepository.at(repository).head() == null
          ? Optional.empty()
          : Optional.of(new RepositoryReports(outputFolders, repository));
    } catch (RepositoryException e) {
      return Optional.empty();
    }
  }

  /** Returns the workflow that makes the reports. */
  public WorkflowDefinition definition() {
    return new RepositoryReport(outputFolders).definition();
  }

  /** Starts the next report, unless one is running or waits for an operator. */
  public void start(WorkflowClient client) {
    new ReportRuns(client, outputFolders, ReportedRepository.at(repository)).startUnlessUnderWay();
  }
}
