package io.millrace.examples.report.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.jspecify.annotations.Nullable;

/** A repository on disk, open for reading; must be closed. */
public final class GitRepository implements AutoCloseable {

  private final Repository git;

  private GitRepository(Repository git) {
    this.git = git;
  }

  /**
   * Opens the repository at {@code path} or, like git itself, in the nearest folder above.
   *
   * @throws RepositoryException if there is none
   */
  public static GitRepository open(Path path) {
    ReadOnlyGit.install();
    Path folder = path.toAbsolutePath().normalize();
    if (!Files.isDirectory(folder)) {
      throw new RepositoryException(
          "'%s' %s; expected the folder of a git repository. Name another folder."
              .formatted(path, Files.exists(folder) ? "is not a folder" : "does not exist"));
    }
    FileRepositoryBuilder builder = new FileRepositoryBuilder().findGitDir(folder.toFile());
    if (builder.getGitDir() == null) {
      throw new RepositoryException(
          ("'%s' is not a git repository, and no folder above it is; expected one with a .git"
                  + " folder, or a bare one. Name another folder.")
              .formatted(path));
    }
    try {
      return new GitRepository(builder.setMustExist(true).build());
    } catch (IOException | IllegalArgumentException e) {
      throw new RepositoryException(
          "'%s' cannot be read as a git repository: %s. Does 'git -C %s status' work?"
              .formatted(path, e.getMessage(), path));
    }
  }

  /** Returns the folder that identifies this repository: a real path, without links. */
  public Path folder() {
    return real(git.isBare() ? git.getDirectory().toPath() : git.getWorkTree().toPath());
  }

  /** Returns the name that people use for the repository. */
  public String name() {
    Path name = folder().getFileName();
    if (name == null) {
      return "repository";
    }
    String text = name.toString();
    return text.endsWith(".git") && text.length() > 4 ? text.substring(0, text.length() - 4) : text;
  }

  /** Returns the checked-out commit; empty if there is none yet. */
  public Optional<String> head() throws IOException {
    return Optional.ofNullable(git.resolve(Constants.HEAD)).map(ObjectId::name);
  }

  /** Returns the checked-out branch, or a short commit id. */
  public String branch() throws IOException {
    String branch = git.getBranch();
    if (branch == null) {
      return "HEAD";
    }
    return ObjectId.isId(branch) ? branch.substring(0, 10) : branch;
  }

  /** Returns the commits at which a shallow clone was cut off; empty if it is complete. */
  public String depth() throws IOException {
    return git.getObjectDatabase().getShallowCommits().stream()
        .map(ObjectId::name)
        .sorted()
        .collect(Collectors.joining(" "));
  }

  /** True if {@code head} descends from {@code commit}, or is it. */
  public boolean reaches(String head, String commit) throws IOException {
    try (RevWalk walk = new RevWalk(git)) {
      walk.setRetainBody(false);
      RevCommit base = walk.parseCommit(ObjectId.fromString(commit));
      return walk.isMergedInto(base, walk.parseCommit(ObjectId.fromString(head)));
    } catch (MissingObjectException e) {
      return false;
    }
  }

  /** Returns the commits that {@code head} reaches and {@code since} does not, oldest first. */
  public List<String> commits(String head, @Nullable String since) throws IOException {
    List<String> ids = new ArrayList<>();
    try (RevWalk walk = new RevWalk(git)) {
      walk.setRetainBody(false);
      walk.markStart(walk.parseCommit(ObjectId.fromString(head)));
      if (since != null) {
        walk.markUninteresting(walk.parseCommit(ObjectId.fromString(since)));
      }
      for (RevCommit commit : walk) {
        ids.add(commit.name());
      }
    }
    Collections.reverse(ids);
    return ids;
  }

  /** Opens a reader of commits. */
  public GitCommits read() throws IOException {
    return new GitCommits(git);
  }

  @Override
  public void close() {
    git.close();
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      return path.toAbsolutePath().normalize();
    }
  }
}
