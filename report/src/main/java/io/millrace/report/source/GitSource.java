package io.millrace.report.source;

import io.millrace.report.source.RecentCommits.CommitRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jgit.errors.RepositoryNotFoundException;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;

/**
 * Git repositories on disk. A query is {@code MEASURE [top N] [in REPOSITORY]}, where the measures
 * are those of {@link GitMeasure}; without {@code in}, the query is about the first repository. It
 * reads the checked-out branch, and uses the commit time of each commit. Thread-safe.
 */
public final class GitSource implements QuerySource {

  /**
   * Number of windows kept in memory. A KPI reads two windows, and the KPIs of a report read the
   * same ones.
   */
  private static final int KEPT_WINDOWS = 8;

  /** Upper limit of the changed files kept in memory, which take some 50 MB. */
  private static final long KEPT_FILES = 250_000;

  private final Map<String, Path> repositories;
  private final ZoneId zone;
  private final ReentrantLock reading = new ReentrantLock();
  private final RecentCommits recent = new RecentCommits(KEPT_WINDOWS, KEPT_FILES);

  /**
   * Creates a source of repositories by name.
   *
   * @param zone decides which day a commit belongs to
   */
  public GitSource(Map<String, Path> repositories, ZoneId zone) {
    if (repositories.isEmpty()) {
      throw new SourceException("There is no git repository; expected at least one.");
    }
    this.repositories = new LinkedHashMap<>(repositories);
    this.zone = zone;
    IsolatedGitConfig.install();
  }

  /** Creates a source of one repository. */
  public static GitSource of(Path repository, ZoneId zone) {
    return new GitSource(Map.of("repository", repository), zone);
  }

  @Override
  public ResultTable read(SourceQuery query) {
    GitQuery asked = GitQuery.parse(query.text());
    List<GitCommit> commits = commits(repository(asked.repository()), query);
    ResultTable table = asked.measure().table(commits, query.window(), zone);
    int shown = Math.min(table.rows().size(), asked.top());
    if (shown > query.maxRows()) {
      throw query.tooManyRows("a git repository");
    }
    return new ResultTable(table.columns(), table.rows().subList(0, shown));
  }

  private Path repository(String name) {
    if (name.isEmpty()) {
      return repositories.values().iterator().next();
    }
    Path found = repositories.get(name);
    if (found == null) {
      throw new SourceException(
          "There is no git repository '" + name + "'; there are " + repositories.keySet());
    }
    return found;
  }

  /** Returns the lock that is held while a repository is read; for tests. */
  ReentrantLock reading() {
    return reading;
  }

  /**
   * Returns the commits of a window, which are read once for all KPIs of a report, as these run at
   * the same time.
   */
  private List<GitCommit> commits(Path folder, SourceQuery query) {
    QueryTimeLimit limit = new QueryTimeLimit("git repository " + folder, query.timeout());
    limit.lock(reading);
    try (Repository git = open(folder)) {
      var head = git.resolve("HEAD");
      if (head == null) {
        return List.of();
      }
      CommitRange commitRange = new CommitRange(folder, head.name(), query.window());
      List<GitCommit> known = recent.find(commitRange);
      if (known == null) {
        known = new GitReader(git, limit).commits(head, query.window());
        recent.put(commitRange, known);
      }
      return known;
    } catch (IOException e) {
      throw new SourceException("The git repository " + folder + " cannot be read: " + e, e);
    } finally {
      reading.unlock();
    }
  }

  private static Repository open(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new SourceException(
          folder + " is not a folder; expected a git repository. Name another folder.");
    }
    FileRepositoryBuilder builder = new FileRepositoryBuilder().findGitDir(folder.toFile());
    if (builder.getGitDir() == null) {
      throw new SourceException(
          folder + " is not a git repository, and no folder above it is. Name another folder.");
    }
    try {
      return builder.setMustExist(true).build();
    } catch (RepositoryNotFoundException e) {
      throw new SourceException(folder + " is not a git repository. Name another folder.", e);
    }
  }
}
