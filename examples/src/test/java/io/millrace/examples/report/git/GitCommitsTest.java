package io.millrace.examples.report.git;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.examples.report.git.CommitFacts.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GitCommitsTest {

  @TempDir Path temporary;
  private TestRepository repository;

  @BeforeEach
  void create() {
    repository = TestRepository.at(temporary.resolve("project"));
  }

  @AfterEach
  void close() {
    repository.close();
  }

  private CommitFacts read(String id) throws IOException {
    try (GitRepository git = GitRepository.open(repository.folder());
        GitCommits commits = git.read()) {
      return commits.read(id);
    }
  }

  @Test
  void countsTheFirstCommitAgainstNothing() throws IOException {
    String id = repository.write("src/a.txt", "1\n2\n3\n").write("readme", "1\n").commit();
    assertThat(read(id).churn())
        .isEqualTo(Map.of("src", new LineCounts(3, 0), CommitFacts.TOP, new LineCounts(1, 0)));
  }

  @Test
  void countsChangedAndRemovedLinesByTopFolder() throws IOException {
    repository.write("src/deep/a.txt", "1\n2\n3\n").write("docs/b.txt", "1\n2\n").commit();
    String id = repository.write("src/deep/a.txt", "1\nzwei\n3\n4\n").remove("docs/b.txt").commit();
    assertThat(read(id).churn())
        .isEqualTo(Map.of("src", new LineCounts(2, 1), "docs", new LineCounts(0, 2)));
  }

  @Test
  void ignoresBinaryFiles() throws IOException {
    String id = repository.write("logo.png", new byte[] {1, 0, 2, 0, 10}).commit();
    assertThat(read(id).churn()).isEmpty();
    assertThat(read(id).uncounted()).isZero();
  }

  @Test
  void doesNotCountAFileThatIsTooLarge() throws IOException {
    String id = repository.write("data/big.txt", "line\n".repeat(300_000)).commit();
    assertThat(read(id).churn()).isEmpty();
    assertThat(read(id).uncounted()).isEqualTo(1);
  }

  @Test
  void countsAMergeWithoutItsLines() throws IOException {
    String base = repository.write("a", "1\n").commit();
    repository.write("a", "1\n2\n").commit();
    CommitFacts merge = read(repository.merge(base));
    assertThat(merge.kind()).isEqualTo(Kind.MERGE);
    assertThat(merge.churn()).isEmpty();
  }

  @Test
  void readsNamesAndFoldersInAnyScript() throws IOException {
    String id =
        repository
            .author("李小龍", "Li@Example.CN")
            .zone("+05:30")
            .write("документы/файл.txt", "один\n")
            .commit();
    CommitFacts facts = read(id);
    assertThat(facts.author().name()).isEqualTo("李小龍");
    assertThat(facts.author().email()).isEqualTo("li@example.cn");
    assertThat(facts.offset()).isEqualTo(330);
    assertThat(facts.time()).isEqualTo(TestRepository.BEGIN.getEpochSecond());
    assertThat(facts.churn()).isEqualTo(Map.of("документы", new LineCounts(1, 0)));
  }
}
