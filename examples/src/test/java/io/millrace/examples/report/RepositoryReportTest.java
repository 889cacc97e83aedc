package io.millrace.examples.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.examples.report.ReportRuns.Run;
import io.millrace.examples.report.git.TestRepository;
import io.millrace.examples.report.measure.Measures;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.InstanceStatus;
import io.millrace.testing.ManualEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.eclipse.jgit.api.Git;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepositoryReportTest {

  @TempDir Path temporary;
  private TestRepository repository;
  private OutputFolders outputFolders;
  private ManualEngine engine;
  private int read;
  private int killAt = -1;

  @BeforeEach
  void create() {
    repository = TestRepository.at(temporary.resolve("project"));
    outputFolders = new OutputFolders(temporary.resolve("data"), temporary.resolve("reports"));
    engine =
        ManualEngine.with(
            new RepositoryReport(
                    outputFolders,
                    (commits, id) -> {
                      killWhenItIsTime();
                      read++;
                      return commits.read(id);
                    })
                .definition());
  }

  private void killWhenItIsTime() {
    if (read == killAt) {
      killAt = -1;
      engine.killExecutor();
      throw new IllegalStateException("killed");
    }
  }

  @AfterEach
  void close() {
    engine.close();
    repository.close();
  }

  private Run begin(Path folder) {
    return new ReportRuns(engine.client(), outputFolders, ReportedRepository.at(folder))
        .continueOrStart();
  }

  private Run run() {
    return run(repository.folder());
  }

  private Run run(Path folder) {
    Run run = begin(folder);
    engine.runUntilIdle();
    assertThat(engine.client().get(run.id()).status()).isEqualTo(InstanceStatus.FINISHED);
    return run;
  }

  private List<String> steps(Run run) {
    return engine.client().history(run.id()).stream()
        .map(historyEntry -> historyEntry.move().from() + ": " + historyEntry.outcome().reason())
        .toList();
  }

  private CollectionPlan plan(Run run) {
    return engine
        .client()
        .variable(run.id(), RepositoryReport.PLAN, CollectionPlan.class)
        .orElseThrow();
  }

  private Measures measures(Run run) {
    return engine
        .client()
        .variable(run.id(), RepositoryReport.MEASURES, Measures.class)
        .orElseThrow();
  }

  private Path report(Run run) {
    return Path.of(
        engine.client().variable(run.id(), RepositoryReport.REPORT, String.class).orElseThrow());
  }

  @Test
  void collectsALongHistoryInSteps() throws IOException {
    repository.commits(2500);
    Run run = run();
    assertThat(steps(run))
        .containsExactly(
            "PLAN: 2,500 new commits",
            "COLLECT: 1,000 of 2,500 commits",
            "COLLECT: 2,000 of 2,500 commits",
            "COLLECT: 2,500 commits collected",
            "MEASURE: 2,500 commits measured",
            steps(run).get(5),
            "PUBLISH: published as project-report.html");
    assertThat(steps(run).get(5)).startsWith("RENDER: ");
    assertThat(read).isEqualTo(2500);
    assertThat(measures(run).totals().commits()).isEqualTo(2500);
    assertThat(Files.readString(report(run))).contains("<h1>project</h1>");
  }

  @Test
  void doesNotRepeatFinishedStepsAfterACrash() throws IOException {
    repository.commits(2500);
    killAt = 2300;
    Run run = begin(repository.folder());
    engine.runUntilIdle();
    assertThat(killAt).isEqualTo(-1);
    assertThat(read).isEqualTo(2300);

    Run continued = begin(repository.folder());
    assertThat(continued).isEqualTo(new Run(run.id(), 1, true));
    engine.advance(engine.leaseTime());
    assertThat(engine.client().get(run.id()).status()).isEqualTo(InstanceStatus.FINISHED);
    assertThat(read).isEqualTo(2300 + 500);
    assertThat(measures(run).totals().commits()).isEqualTo(2500);
    assertThat(measures(run).totals().lines().added()).isEqualTo(3 * 3 + 2497);
  }

  @Test
  void theNextRunCollectsNewCommitsOnly() throws IOException {
    repository.commits(1500);
    run();
    read = 0;
    repository.commits(30);
    Run second = run();
    assertThat(second.number()).isEqualTo(2);
    assertThat(read).isEqualTo(30);
    assertThat(plan(second).notes()).isEmpty();
    assertThat(measures(second).totals().commits()).isEqualTo(1530);
    assertThat(Files.readString(report(second)))
        .contains("Run 2 collected 30 new commits; 1,500 from earlier runs were kept.");
  }

  @Test
  void aRunWithoutNewCommitsCollectsNothing() {
    repository.commits(10);
    run();
    read = 0;
    Run second = run();
    assertThat(steps(second)).first().isEqualTo("PLAN: no new commits");
    assertThat(read).isZero();
    assertThat(measures(second).totals().commits()).isEqualTo(10);
  }

  @Test
  void manySmallRunsAddUp() {
    repository.commits(2);
    run();
    for (int i = 0; i < 5; i++) {
      repository.commits(1);
      run();
    }
    assertThat(read).isEqualTo(7);
    assertThat(measures(run()).totals().commits()).isEqualTo(7);
  }

  @Test
  void collectsEverythingAgainWhenTheHistoryWasRewritten() throws IOException {
    repository.commits(20);
    run();
    read = 0;
    repository.back(5).commits(1);
    Run second = run();
    assertThat(read).isEqualTo(16);
    assertThat(measures(second).totals().commits()).isEqualTo(16);
    assertThat(Files.readString(report(second))).contains("The history was rewritten");
    read = 0;
    repository.commits(2);
    assertThat(measures(run()).totals().commits()).isEqualTo(18);
    assertThat(read).isEqualTo(2);
  }

  @Test
  void collectsEverythingAgainWhenItsFilesAreGone() throws IOException {
    repository.commits(20);
    run();
    Path parts = outputFolders.data().resolve("commits");
    try (var files = Files.walk(parts)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".json")).toList()) {
        Files.delete(file);
      }
    }
    Run second = run();
    assertThat(plan(second).notes().getFirst()).contains("missing from the data folder");
    assertThat(measures(second).totals().commits()).isEqualTo(20);
  }

  @Test
  void reportsWhatAShallowCloneHas() throws Exception {
    repository.commits(50);
    Path folder = temporary.resolve("shallow");
    Git.cloneRepository()
        .setURI(repository.folder().toUri().toString())
        .setDirectory(folder.toFile())
        .setDepth(10)
        .call()
        .close();
    Run first = run(folder);
    assertThat(measures(first).totals().commits()).isEqualTo(10);
    assertThat(Files.readString(report(first))).contains("This is a shallow clone");

    try (Git clone = Git.open(folder.toFile())) {
      clone.fetch().setUnshallow(true).call();
    }
    Run second = run(folder);
    assertThat(measures(second).totals().commits()).isEqualTo(50);
    assertThat(plan(second).notes())
        .containsExactly(
            "The depth of the clone has changed since the last run, so all commits were collected"
                + " again.");
  }

  @Test
  void repositoriesOfTheSameNameHaveReportsOfTheirOwn() throws IOException {
    repository.commits(3);
    try (TestRepository other = TestRepository.at(temporary.resolve("other/project")).commits(4)) {
      Path first = report(run());
      Path second = report(run(other.folder()));
      assertThat(first).hasFileName("project-report.html");
      assertThat(second)
          .hasFileName("project-" + ReportedRepository.at(other.folder()).key() + "-report.html");
      assertThat(report(run())).isEqualTo(first);
      assertThat(report(run(other.folder()))).isEqualTo(second);
    }
  }

  @Test
  void aFailedRunGoesOnWhereItFailed() throws IOException {
    repository.commits(1200);
    Files.writeString(outputFolders.reports(), "a file where a folder should be");
    Run run = begin(repository.folder());
    engine.runUntilIdle();
    engine.advance(Duration.ofMinutes(1));
    assertThat(engine.client().get(run.id()).status()).isEqualTo(InstanceStatus.FAILED);
    assertThat(read).isEqualTo(1200);

    Files.delete(outputFolders.reports());
    Run again = run();
    assertThat(again).isEqualTo(new Run(run.id(), 1, true));
    assertThat(read).isEqualTo(1200);
  }

  @Test
  void aRunWhoseCommitsAreGoneIsGivenUp() {
    repository.commits(30);
    killAt = 20;
    Run run = begin(repository.folder());
    engine.runUntilIdle();
    repository.back(10).commits(1);
    Run second = begin(repository.folder());
    assertThat(second.number()).isEqualTo(2);
    engine.advance(engine.leaseTime());
    assertThat(engine.client().get(run.id()).status()).isEqualTo(InstanceStatus.CANCELLED);
    assertThat(measures(second).totals().commits()).isEqualTo(21);
  }

  @Test
  void everyStepLeavesItsReason() {
    repository.commits(1);
    assertThat(engine.client().history(run().id()))
        .extracting(HistoryEntry::outcome)
        .allSatisfy(outcome -> assertThat(outcome.reason()).isNotBlank());
  }
}
