package io.millrace.examples.report;

import io.millrace.WorkflowClient;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.examples.report.git.RepositoryException;
import java.nio.file.Path;
import java.util.Optional;

/** Reports on one repository, run by a program that does other things too. Thread-safe. */
public final class RepositoryReports {

  private final OutputFolders outputFolders;
  private final Path repository;

  private RepositoryReports(OutputFolders outputFolders, Path repository) {
    this.outputFolders = outputFolders;
    this.repository = repository;
  }

  /**
   * Reports on a repository.
   *
   * @return empty when {@code repository} is none that can be read, or has no commits
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

  /** The workflow that makes the reports. */
  public WorkflowDefinition definition() {
    return new RepositoryReport(outputFolders).definition();
  }

  /** Starts the next report, unless one is under way or waits for a person. */
  public void start(WorkflowClient client) {
    new ReportRuns(client, outputFolders, ReportedRepository.at(repository)).startUnlessUnderWay();
  }
}
