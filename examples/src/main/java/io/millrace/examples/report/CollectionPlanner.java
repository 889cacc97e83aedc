package io.millrace.examples.report;

import io.millrace.examples.report.CollectedCommits.Part;
import io.millrace.examples.report.git.CommitArchive;
import io.millrace.examples.report.git.GitRepository;
import io.millrace.examples.report.git.RepositoryException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A planner that finds and lists the new commits of a repository. */
final class CollectionPlanner {

  private final GitRepository git;
  private final CommitArchive commitArchive;
  private final List<String> notes = new ArrayList<>();

  CollectionPlanner(GitRepository git, CommitArchive commitArchive) {
    this.git = git;
    this.commitArchive = commitArchive;
  }

  /** Plans a run and writes the list of its commits. */
  CollectionPlan plan(ReportInput input) throws IOException {
    String head = git.head().orElseThrow(() -> noCommits(input.repository()));
    String depth = git.depth();
    if (!depth.isEmpty()) {
      notes.add(
          "This is a shallow clone: older commits are missing from it, and from this report. "
              + "'git fetch --unshallow' gets them; the next run then collects everything.");
    }
    CollectedCommits since = usable(input.since(), head, depth);
    List<String> commits = git.commits(head, since == null ? null : since.head());
    commitArchive.writePlan(input.run(), commits);
    List<Part> kept = since == null ? List.of() : since.parts();
    return new CollectionPlan(git.name(), git.branch(), head, depth, commits.size(), kept, notes);
  }

  /** Returns the reusable part of earlier runs; null for none. */
  private @Nullable CollectedCommits usable(
      @Nullable CollectedCommits since, String head, String depth) throws IOException {
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

  private @Nullable String obstacle(CollectedCommits since, String head, String depth)
      throws IOException {
    if (!since.depth().equals(depth)) {
      return "The depth of the clone has changed since the last run";
    }
    if (!git.reaches(head, since.head())) {
      return "The history was rewritten, or another branch checked out, since the last run";
    }
    boolean complete =
        since.parts().stream().allMatch(p -> commitArchive.hasParts(p.run(), p.steps()));
    return complete ? null : "Files of earlier runs are missing from the data folder";
  }

  private static RepositoryException noCommits(String repository) {
    return new RepositoryException(
        "'" + repository + "' has no commits yet; expected at least one. Commit, and run again.");
  }
}
