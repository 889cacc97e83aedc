package io.millrace.examples.report;

import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.examples.report.CollectedCommits.Part;
import io.millrace.examples.report.git.AtomicFiles;
import io.millrace.examples.report.git.CommitArchive;
import io.millrace.examples.report.git.CommitFacts;
import io.millrace.examples.report.git.GitCommits;
import io.millrace.examples.report.git.GitRepository;
import io.millrace.examples.report.git.RepositoryException;
import io.millrace.examples.report.measure.HumanFormat;
import io.millrace.examples.report.measure.Measurer;
import io.millrace.examples.report.measure.Measures;
import io.millrace.examples.report.page.ReportPage;
import io.millrace.examples.report.page.ReportSubject;
import io.millrace.retry.RetryPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jgit.errors.MissingObjectException;

/**
 * The workflow {@code repository-report}. Every step either changes nothing but the instance's
 * variables, which the engine does exactly once, or writes a file that has the same content when it
 * is written again. So the process may die at any point: only the interrupted step is repeated.
 */
public final class RepositoryReport {

  public static final String TYPE = "repository-report";

  /**
   * Number of commits per step. A long history takes many steps, and a finished step is never
   * repeated.
   */
  static final int COMMITS_PER_STEP = 1000;

  static final String PLAN = "plan";
  static final String DONE = "done";
  static final String MEASURES = "measures";
  static final String COLLECTED = "collected";
  static final String REPORT = "report";

  /** The states. */
  public enum State {
    /** Lists the commits that no earlier run has collected. */
    PLAN,
    /** Reads the next thousand commits; repeated until all are read. */
    COLLECT,
    /** Turns commits into numbers. */
    MEASURE,
    /** Turns numbers into a page. */
    RENDER,
    /** Moves the page to the folder of finished reports. */
    PUBLISH,
    DONE
  }

  /** A reader of commits; tests replace it to count and interrupt reads. */
  @FunctionalInterface
  interface CommitReader {
    CommitFacts read(GitCommits commits, String id) throws IOException;
  }

  private final OutputFolders outputFolders;
  private final CommitReader reader;

  public RepositoryReport(OutputFolders outputFolders) {
    this(outputFolders, GitCommits::read);
  }

  RepositoryReport(OutputFolders outputFolders, CommitReader reader) {
    this.outputFolders = outputFolders;
    this.reader = reader;
  }

  public WorkflowDefinition definition() {
    return WorkflowDefinition.of(TYPE, State.class)
        .description("Reports on the history of a git repository.")
        .input(ReportInput.class)
        .start(State.PLAN, this::plan)
        .state(State.COLLECT, this::collect)
        .state(State.MEASURE, this::measure)
        .state(State.RENDER, this::render)
        .state(State.PUBLISH, this::publish)
        .end(State.DONE)
        .permit(State.PLAN, State.COLLECT, State.MEASURE)
        .permit(State.COLLECT, State.COLLECT, State.MEASURE)
        .permit(State.MEASURE, State.RENDER)
        .permit(State.RENDER, State.PUBLISH)
        .permit(State.PUBLISH, State.DONE)
        .retry(
            RetryPolicy.exponential(Duration.ofMillis(500), Duration.ofSeconds(5))
                .maxAttempts(4)
                .neverOn(RepositoryException.class, MissingObjectException.class))
        .build();
  }

  private Next plan(StateContext ctx) throws IOException {
    ReportInput input = ctx.input(ReportInput.class);
    try (GitRepository git = GitRepository.open(Path.of(input.repository()))) {
      CollectionPlan collectionPlan =
          new CollectionPlanner(git, outputFolders.archive(input.key())).plan(input);
      ctx.set(PLAN, collectionPlan);
      ctx.set(DONE, 0);
      return collectionPlan.total() == 0
          ? Next.moveTo(State.MEASURE, "no new commits")
          : Next.moveTo(State.COLLECT, HumanFormat.count(collectionPlan.total(), "new commit"));
    }
  }

  private Next collect(StateContext ctx) throws IOException {
    ReportInput input = ctx.input(ReportInput.class);
    CommitArchive commitArchive = outputFolders.archive(input.key());
    int total = ctx.get(PLAN, CollectionPlan.class).total();
    int done = ctx.get(DONE, Integer.class);
    int now = Math.min(done + COMMITS_PER_STEP, total);
    List<String> ids = commitArchive.readPlan(input.run(), done, now - done);
    commitArchive.writePart(input.run(), done / COMMITS_PER_STEP, read(ctx, input, ids, total));
    ctx.set(DONE, now);
    return now < total
        ? Next.moveTo(
            State.COLLECT, HumanFormat.number(now) + " of " + HumanFormat.count(total, "commit"))
        : Next.moveTo(State.MEASURE, HumanFormat.count(total, "commit") + " collected");
  }

  private List<CommitFacts> read(StateContext ctx, ReportInput input, List<String> ids, int total)
      throws IOException {
    int done = ctx.get(DONE, Integer.class);
    List<CommitFacts> facts = new ArrayList<>(ids.size());
    try (GitRepository git = GitRepository.open(Path.of(input.repository()));
        GitCommits commits = git.read()) {
      for (String id : ids) {
        ctx.cancelToken().throwIfCancelled();
        ctx.progress(done + facts.size(), total, "commits");
        facts.add(reader.read(commits, id));
      }
    }
    ctx.progress(done + facts.size(), total, "commits");
    return facts;
  }

  private Next measure(StateContext ctx) throws IOException {
    ReportInput input = ctx.input(ReportInput.class);
    CommitArchive commitArchive = outputFolders.archive(input.key());
    Measurer measurer = new Measurer(ctx.now());
    for (Part part : ctx.get(PLAN, CollectionPlan.class).outcome(input.run()).parts()) {
      ctx.cancelToken().throwIfCancelled();
      commitArchive.readParts(part.run(), part.steps(), measurer::add);
    }
    Measures measures = measurer.measures();
    ctx.set(MEASURES, measures);
    return Next.moveTo(
        State.RENDER, HumanFormat.count(measures.totals().commits(), "commit") + " measured");
  }

  private Next render(StateContext ctx) throws IOException {
    ReportInput input = ctx.input(ReportInput.class);
    CollectionPlan collectionPlan = ctx.get(PLAN, CollectionPlan.class);
    ReportSubject reportSubject =
        new ReportSubject(
            collectionPlan.name(),
            input.key(),
            new ReportSubject.Head(collectionPlan.branch(), collectionPlan.head()),
            input.run(),
            collectionPlan.total(),
            ctx.now(),
            collectionPlan.notes());
    String page = ReportPage.write(reportSubject, ctx.get(MEASURES, Measures.class));
    AtomicFiles.write(outputFolders.archive(input.key()).draft(input.run()), page);
    return Next.moveTo(State.PUBLISH, HumanFormat.count(page.length(), "character") + " rendered");
  }

  private Next publish(StateContext ctx) throws IOException {
    ReportInput input = ctx.input(ReportInput.class);
    CollectionPlan collectionPlan = ctx.get(PLAN, CollectionPlan.class);
    CommitArchive commitArchive = outputFolders.archive(input.key());
    Path report = outputFolders.report(collectionPlan.name(), input.key());
    AtomicFiles.write(report, Files.readString(commitArchive.draft(input.run())));
    commitArchive.deleteOldFiles(
        input.run(), collectionPlan.kept().stream().map(Part::run).toList());
    ctx.set(REPORT, report.toString());
    ctx.set(COLLECTED, collectionPlan.outcome(input.run()));
    return Next.moveTo(State.DONE, "published as " + report.getFileName());
  }
}
