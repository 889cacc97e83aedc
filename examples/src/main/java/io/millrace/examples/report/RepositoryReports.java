package io.millrace.examples.report;

import io.millrace.WorkflowClient;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.examples.report.git.RepositoryException;
import java.nio.file.Path;
import java.util.Optional;

/** Reports on one repository, run by a program that does other things too. Thread-safe. */
public final class RepositoryReports {

  private final Folders folders;
  private final Path repository;

  private RepositoryReports(Folders folders, Path repository) {
    this.folders = folders;
    this.repository = repository;
  }

  /**
   * Reports on a repository.
   *
   * @return empty when {@code repository} is none that can be read, or has no commits
   */
  public static Optional<RepositoryReports> on(Path repository, Folders folders) {
    try {
      return Repository.at(repository).head() == null
          ? Optional.empty()
          : Optional.of(new RepositoryReports(folders, repository));
    } catch (RepositoryException e) {
      return Optional.empty();
    }
  }

  /** The workflow that makes the reports. */
  public WorkflowDefinition definition() {
    return new RepositoryReport(folders).definition();
  }

  /** Starts the next report, unless one is under way or waits for a person. */
  public void start(WorkflowClient client) {
    new Runs(client, folders, Repository.at(repository)).startUnlessUnderWay();
  }
}
