package io.millrace.examples.report.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.eclipse.jgit.api.Git;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GitRepositoryTest {

  @TempDir Path temporary;

  @Test
  void saysWhatIsWrongWithAPathThatDoesNotExist() {
    Path missing = temporary.resolve("missing");
    assertThatThrownBy(() -> GitRepository.open(missing))
        .isInstanceOf(RepositoryException.class)
        .hasMessage(
            "'"
                + missing
                + "' does not exist; expected the folder of a git repository."
                + " Name another folder.");
  }

  @Test
  void saysWhatIsWrongWithAFile() throws IOException {
    Path file = Files.createFile(temporary.resolve("file"));
    assertThatThrownBy(() -> GitRepository.open(file)).hasMessageContaining("is not a folder");
  }

  @Test
  void saysWhatIsWrongWithAFolderThatIsNoRepository() {
    assertThatThrownBy(() -> GitRepository.open(temporary))
        .isInstanceOf(RepositoryException.class)
        .hasMessageContaining("'" + temporary + "' is not a git repository");
  }

  @Test
  void anEmptyRepositoryHasNoHead() throws IOException {
    try (TestRepository made = TestRepository.at(temporary.resolve("empty"));
        GitRepository git = GitRepository.open(made.folder())) {
      assertThat(git.head()).isEmpty();
      assertThat(git.branch()).isEqualTo("main");
      assertThat(git.name()).isEqualTo("empty");
    }
  }

  @Test
  void findsTheRepositoryAboveAFolder() throws IOException {
    try (TestRepository made = TestRepository.at(temporary.resolve("project"))) {
      Path inside = Files.createDirectories(made.folder().resolve("a/b"));
      try (GitRepository git = GitRepository.open(inside)) {
        assertThat(git.folder()).isEqualTo(made.folder().toRealPath());
      }
    }
  }

  @Test
  void readsABareRepository() throws IOException {
    try (TestRepository made = TestRepository.bareAt(temporary.resolve("project.git"))) {
      made.commits(3);
      try (GitRepository git = GitRepository.open(made.folder())) {
        assertThat(git.name()).isEqualTo("project");
        assertThat(git.commits(made.head(), null)).hasSize(3);
      }
    }
  }

  @Test
  void readsALinkedWorktree() throws IOException {
    try (TestRepository made = TestRepository.at(temporary.resolve("project")).commits(3)) {
      Path links = Files.createDirectories(made.folder().resolve(".git/worktrees/side"));
      Path side = Files.createDirectories(temporary.resolve("side"));
      Files.writeString(links.resolve("HEAD"), made.head() + "\n");
      Files.writeString(links.resolve("commondir"), "../..\n");
      Files.writeString(links.resolve("gitdir"), side.resolve(".git") + "\n");
      Files.writeString(side.resolve(".git"), "gitdir: " + links + "\n");
      try (GitRepository git = GitRepository.open(side)) {
        assertThat(git.name()).isEqualTo("side");
        assertThat(git.branch()).isEqualTo(made.head().substring(0, 10));
        assertThat(git.commits(git.head().orElseThrow(), null)).hasSize(3);
      }
    }
  }

  @Test
  void listsNewCommitsOldestFirst() throws IOException {
    try (TestRepository made = TestRepository.at(temporary.resolve("project"))) {
      String first = made.write("a", "1\n").commit();
      String second = made.write("a", "2\n").commit();
      String third = made.write("a", "3\n").commit();
      try (GitRepository git = GitRepository.open(made.folder())) {
        assertThat(git.commits(third, null)).containsExactly(first, second, third);
        assertThat(git.commits(third, first)).containsExactly(second, third);
        assertThat(git.commits(third, third)).isEmpty();
        assertThat(git.reaches(third, first)).isTrue();
        assertThat(git.reaches(first, third)).isFalse();
        assertThat(git.reaches(third, "0123456789012345678901234567890123456789")).isFalse();
      }
    }
  }

  @Test
  void knowsAShallowClone() throws Exception {
    try (TestRepository made = TestRepository.at(temporary.resolve("deep")).commits(5);
        Git clone =
            Git.cloneRepository()
                .setURI(made.folder().toUri().toString())
                .setDirectory(temporary.resolve("shallow").toFile())
                .setDepth(2)
                .call();
        GitRepository git = GitRepository.open(temporary.resolve("shallow"))) {
      List<String> commits = git.commits(made.head(), null);
      assertThat(commits).hasSize(2);
      assertThat(git.depth()).isEqualTo(commits.getFirst());
      try (GitCommits reader = git.read()) {
        CommitFacts cut = reader.read(commits.getFirst());
        assertThat(cut.kind()).isEqualTo(CommitFacts.Kind.CUT);
        assertThat(cut.churn()).isEmpty();
        assertThat(reader.read(commits.getLast()).churn()).isNotEmpty();
      }
      assertThat(clone.getRepository().isBare()).isFalse();
    }
  }

  @Test
  void writesNothingIntoTheRepository() throws IOException {
    try (TestRepository made = TestRepository.at(temporary.resolve("project")).commits(10)) {
      Map<Path, FileTime> before = files(temporary);
      try (GitRepository git = GitRepository.open(made.folder());
          GitCommits reader = git.read()) {
        for (String id : git.commits(git.head().orElseThrow(), null)) {
          reader.read(id);
        }
      }
      assertThat(files(temporary)).isEqualTo(before);
    }
  }

  private static Map<Path, FileTime> files(Path folder) throws IOException {
    Map<Path, FileTime> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.toList()) {
        files.put(path, Files.getLastModifiedTime(path));
      }
    }
    return files;
  }
}
