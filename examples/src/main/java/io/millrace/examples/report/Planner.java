package io.millrace.examples.report;

import io.millrace.examples.report.Collected.Part;
import io.millrace.examples.report.git.Archive;
import io.millrace.examples.report.git.GitRepository;
import io.millrace.examples.report.git.RepositoryException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds out which commits of a repository are new, and lists them. */
final class Planner {

  private final GitRepository git;
  private final Archive archive;
  private final List<String> notes = new ArrayList<>();

  Planner(GitRepository git, Archive archive) {
    this.git = git;
    this.archive = archive;
  }

  /** Plans a run, and writes the list of its commits. */
  Plan plan(ReportInput input) throws IOException {
    String head = git.head().orElseThrow(() -> noCommits(input.repository()));
    String depth = git.depth();
    if (!depth.isEmpty()) {
      notes.add(
          "This is a shallow clone: older commits are missing from it, and from this report. "
              + "'git fetch --unshallow' gets them; the next run then collects everything.");
    }
    Collected since = usable(input.since(), head, depth);
    List<String> commits = git.commits(head, since == null ? null : since.head());
    archive.writePlan(input.run(), commits);
    List<Part> kept = since == null ? List.of() : since.parts();
    return new Plan(git.name(), git.branch(), head, depth, commits.size(), kept, notes);
  }

  /** What can be kept of earlier runs; null for nothing. */
  private @Nullable Collected usable(@Nullable Collected since, String head, String depth)
      throws IOException {
    if (since == null) {
      return null;
    }
    String obstacle = obstacle(since, head, depth);
    if (obstacle != null) {
      notes.add(obstacle + ", so all commits were collected again.");
      return null;
    }
    return since;
  }

  private @Nullable String obstacle(Collected since, String head, String depth) throws IOException {
    if (!since.depth().equals(depth)) {
      return "The depth of the clone has changed since the last run";
    }
    if (!git.reaches(head, since.head())) {
      return "The history was rewritten, or another branch checked out, since the last run";
    }
    boolean complete = since.parts().stream().allMatch(p -> archive.hasParts(p.run(), p.steps()));
    return complete ? null : "Files of earlier runs are missing from the data folder";
  }

  private static RepositoryException noCommits(String repository) {
    return new RepositoryException(
        "'" + repository + "' has no commits yet; expected at least one. Commit, and run again.");
  }
}
