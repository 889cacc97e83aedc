package io.millrace.report.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.report.Patience;
import io.millrace.schedule.DataWindow;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Repository;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GitSourceTest {

  private static final DataWindow WEEK =
      new DataWindow(Instant.parse("2026-11-16T00:00:00Z"), Instant.parse("2026-11-23T00:00:00Z"));

  @TempDir Path folder;
  private TestGitRepository repository;
  private GitSource source;

  @BeforeEach
  void make() throws Exception {
    repository = TestGitRepository.twoWeeks(folder.resolve("mill"));
    source = GitSource.of(repository.folder(), ZoneOffset.UTC);
  }

  @AfterEach
  void close() {
    repository.close();
  }

  private ResultTable read(String query) {
    return source.read(SourceQuery.of(query, WEEK));
  }

  @Test
  void theTotalsAreThoseOfTheWindow() {
    ResultTable resultTable = read("totals");
    assertThat(resultTable.columns())
        .containsExactly("commits", "authors", "files", "added", "removed", "changed");
    // 10 + 120 + 25 + 1 added; 20 + 10 removed, since the text of docs/mill.md is replaced.
    assertThat(resultTable.rows()).containsExactly(List.of(5, 3, 3, 156L, 30L, 186L));
  }

  @Test
  void everyDayHasARow() {
    ResultTable resultTable = read("by day");
    assertThat(resultTable.rows()).hasSize(7);
    assertThat(resultTable.rows().stream().map(r -> r.get(1))).containsExactly(2, 0, 1, 0, 1, 0, 1);
    assertThat(resultTable.text(0, 0)).isEqualTo("2026-11-16");
    assertThat(resultTable.text(6, 0)).isEqualTo("2026-11-22");
  }

  @Test
  void aCalendarThatBeginsOneSecondLateHasNoEighthDay() {
    DataWindow late =
        new DataWindow(
            Instant.parse("2026-11-16T00:00:01Z"), Instant.parse("2026-11-23T00:00:01Z"));
    assertThat(source.read(SourceQuery.of("by day top 7", late)).text(6, 0))
        .isEqualTo("2026-11-22");
    assertThat(WindowDays.of(late, ZoneOffset.UTC)).hasSize(7);
  }

  @Test
  void theZoneSaysWhichDayItIs() {
    GitSource kiritimati = GitSource.of(repository.folder(), ZoneId.of("Pacific/Kiritimati"));
    ResultTable resultTable = kiritimati.read(SourceQuery.of("by day", WEEK));
    assertThat(resultTable.rows()).hasSize(8);
    assertThat(resultTable.rows().getFirst().subList(0, 2)).containsExactly("2026-11-16", 1);
    assertThat(resultTable.rows().getLast().subList(0, 2)).containsExactly("2026-11-23", 1);
  }

  @Test
  void theBusiestComeFirst() {
    assertThat(read("by author").rows().stream().map(r -> r.get(0)))
        .containsExactly("Ada", "Zoë Ωmega", "Ben");
    assertThat(read("by file top 2").rows())
        .containsExactly(List.of("src/Race.java", 2, 121L), List.of("src/Mill.java", 2, 30L));
    ResultTable largest = read("largest commits top 1");
    assertThat(largest.rows().getFirst().subList(1, 6))
        .containsExactly("Write src/Race.java: r", "Ada", "2026-11-16", 1, 120L);
  }

  @Test
  void aQueryMayNameTheRepository() throws Exception {
    Path empty = folder.resolve("empty");
    try (TestGitRepository none = new TestGitRepository(empty)) {
      Map<String, Path> all = new LinkedHashMap<>();
      all.put("mill", repository.folder());
      all.put("empty", none.folder());
      GitSource both = new GitSource(all, ZoneOffset.UTC);
      assertThat(both.read(SourceQuery.of("totals in mill", WEEK)).number(0, 0)).isEqualTo(5);
      assertThat(both.read(SourceQuery.of("totals in empty", WEEK)).number(0, 0)).isZero();
      assertThatThrownBy(() -> both.read(SourceQuery.of("totals in other", WEEK)))
          .hasMessage("There is no git repository 'other'; there are [mill, empty]");
    }
  }

  @Test
  void newCommitsAreSeen() throws Exception {
    assertThat(read("totals").number(0, 0)).isEqualTo(5);
    repository.commit("2026-11-21T00:00:00Z", "Ada", "new.txt", 1, "x");
    assertThat(read("totals").number(0, 0)).isEqualTo(6);
  }

  @Test
  void faultsSayWhatWasExpected() {
    assertThatThrownBy(() -> read("commits per moon"))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining("by day, by author, by file, largest commits");
    Path nowhere = folder.resolve("nowhere");
    assertThatThrownBy(
            () -> GitSource.of(nowhere, ZoneOffset.UTC).read(SourceQuery.of("totals", WEEK)))
        .hasMessageContaining(nowhere + " is not a folder");
    assertThatThrownBy(
            () -> GitSource.of(folder, ZoneOffset.UTC).read(SourceQuery.of("totals", WEEK)))
        .hasMessageContaining("is not a git repository");
  }

  @Test
  void aLongHistoryIsReadUpToTheLimitOfTheQuery() throws Exception {
    for (int i = 0; i < 150; i++) {
      repository.commit("2026-11-17T00:00:00Z", "Ada", "src/Mill.java", 1, "text " + i);
    }
    SourceQuery hasty = new SourceQuery("totals", WEEK, Duration.ofMillis(1), 10);
    assertThatThrownBy(() -> source.read(hasty))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining(repository.folder().toString())
        .hasMessageContaining("did not answer within 0.001 s");
    assertThat(read("totals").number(0, 0)).isEqualTo(155);
    assertThat(source.read(hasty).number(0, 0)).as("what is known needs no time").isEqualTo(155);
  }

  @Test
  void anInterruptEndsTheReading() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> read("totals"))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining("was interrupted");
    assertThat(Thread.interrupted()).as("still known to the caller").isTrue();
    assertThat(read("totals").number(0, 0)).isEqualTo(5);
  }

  @Test
  void anInterruptEndsAReadingThatHasBegun() throws Exception {
    try (Repository git = Git.open(repository.folder().toFile()).getRepository()) {
      ObjectId head = git.resolve("HEAD");
      QueryTimeLimit limit = new QueryTimeLimit("mill", Duration.ofMinutes(1));
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> new GitReader(git, limit).commits(head, WEEK))
          .isInstanceOf(SourceException.class)
          .hasMessage("Reading the mill was interrupted");
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  private static ResultTable answer(FutureTask<ResultTable> task) throws Exception {
    return task.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void whoWaitsForAnotherReaderHasALimitAndCanBeInterrupted() throws Exception {
    source.reading().lock();
    try {
      FutureTask<ResultTable> patient = new FutureTask<>(() -> read("totals"));
      Thread waiting = Thread.ofPlatform().start(patient);
      long end = System.nanoTime() + Patience.LIMIT.toNanos();
      while (waiting.isAlive() && !source.reading().hasQueuedThread(waiting)) {
        assertThat(System.nanoTime() - end).as("it does not wait for the other").isNegative();
        TimeUnit.MILLISECONDS.sleep(10);
      }
      waiting.interrupt();
      assertThatThrownBy(() -> answer(patient))
          .cause()
          .isInstanceOf(SourceException.class)
          .hasMessageContaining("was interrupted");

      SourceQuery hasty = new SourceQuery("totals", WEEK, Duration.ofMillis(20), 10);
      FutureTask<ResultTable> late = new FutureTask<>(() -> source.read(hasty));
      Thread.ofPlatform().start(late);
      assertThatThrownBy(() -> answer(late))
          .cause()
          .isInstanceOf(SourceException.class)
          .hasMessageContaining("did not answer within 0.02 s");
    } finally {
      source.reading().unlock();
    }
    assertThat(read("totals").number(0, 0)).isEqualTo(5);
  }
}
