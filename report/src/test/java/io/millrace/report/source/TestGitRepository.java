package io.millrace.report.source;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.lib.PersonIdent;

/** A git repository created for a test. */
public final class TestGitRepository implements AutoCloseable {

  private final Path folder;
  private final Git git;

  public TestGitRepository(Path folder) throws GitAPIException {
    IsolatedGitConfig.install();
    this.folder = folder;
    this.git = Git.init().setDirectory(folder.toFile()).setInitialBranch("main").call();
  }

  /** Writes a file with a number of lines of this text, and commits it. */
  public TestGitRepository commit(String when, String author, String file, int lines, String text)
      throws Exception {
    Path path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, (text + "\n").repeat(lines));
    git.add().addFilepattern(file).call();
    PersonIdent person =
        new PersonIdent(author, author + "@example.org", Instant.parse(when), ZoneOffset.UTC);
    git.commit()
        .setAuthor(person)
        .setCommitter(person)
        .setSign(false)
        .setMessage("Write " + file + ": " + text)
        .call();
    return this;
  }

  public Path folder() {
    return folder;
  }

  /**
   * Creates two weeks of commits: few in the first week, more in the second, which starts on 16
   * November.
   */
  public static TestGitRepository twoWeeks(Path folder) throws Exception {
    return new TestGitRepository(folder)
        .commit("2026-11-09T09:00:00Z", "Ada", "src/Mill.java", 40, "a")
        .commit("2026-11-11T10:00:00Z", "Ben", "docs/mill.md", 10, "b")
        .commit("2026-11-16T00:00:00Z", "Ada", "src/Mill.java", 50, "a")
        .commit("2026-11-16T15:00:00Z", "Ada", "src/Race.java", 120, "r")
        .commit("2026-11-18T08:00:00Z", "Ben", "src/Mill.java", 30, "a")
        .commit("2026-11-20T12:00:00Z", "Zoë Ωmega", "docs/mill.md", 25, "c")
        .commit("2026-11-22T23:59:59Z", "Ada", "src/Race.java", 121, "r")
        .commit("2026-11-23T00:00:00Z", "Ada", "src/Late.java", 5, "late");
  }

  @Override
  public void close() {
    git.close();
  }
}
