package io.millrace.examples.report;

import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.examples.report.Collected.Part;
import io.millrace.examples.report.git.Archive;
import io.millrace.examples.report.git.CommitFacts;
import io.millrace.examples.report.git.Durable;
import io.millrace.examples.report.git.GitCommits;
import io.millrace.examples.report.git.GitRepository;
import io.millrace.examples.report.git.RepositoryException;
import io.millrace.examples.report.measure.Measurer;
import io.millrace.examples.report.measure.Measures;
import io.millrace.examples.report.measure.Words;
import io.millrace.examples.report.page.ReportPage;
import io.millrace.examples.report.page.Subject;
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
 * variables, which the engine does exactly once, or writes a file that comes out the same when
 * written again. So the process may die anywhere: the step it died in is repeated, and no other.
 */
public final class RepositoryReport {

  public static final String TYPE = "repository-report";

  /** A long history is collected in many steps, each of which is never repeated once finished. */
  static final int COMMITS_PER_STEP = 1000;

  static final String PLAN = "plan";
  static final String DONE = "done";
  static final String MEASURES = "measures";
  static final String COLLECTED = "collected";
  static final String REPORT = "report";

  /** The states. */
  public enum Step {
    /** Lists the commits that no earlier run has collected. */
    PLAN,
    /** Reads the next thousand commits; repeated until all are read. */
    COLLECT,
    /** Turns commits into numbers. */
    MEASURE,
    /** Turns numbers into a page. */
    RENDER,
    /** Puts the page where people find it. */
    PUBLISH,
    DONE
  }

  /** How a commit is read; tests count and interrupt it. */
  @FunctionalInterface
  interface CommitReader {
    CommitFacts read(GitCommits commits, String id) throws IOException;
  }

  private final Folders folders;
  private final CommitReader reader;

  public RepositoryReport(Folders folders) {
    this(folders, GitCommits::read);
  }

  RepositoryReport(Folders folders, CommitReader reader) {
    this.folders = folders;
    this.reader = reader;
  }

  public WorkflowDefinition definition() {
    return WorkflowDefinition.of(TYPE, Step.class)
        .description("Reports on the history of a git repository.")
        .input(ReportInput.class)
        .start(Step.PLAN, this::plan)
        .state(Step.COLLECT, this::collect)
        .state(Step.MEASURE, this::measure)
        .state(Step.RENDER, this::render)
        .state(Step.PUBLISH, this::publish)
        .end(Step.DONE)
        .permit(Step.PLAN, Step.COLLECT, Step.MEASURE)
        .permit(Step.COLLECT, Step.COLLECT, Step.MEASURE)
        .permit(Step.MEASURE, Step.RENDER)
        .permit(Step.RENDER, Step.PUBLISH)
        .permit(Step.PUBLISH, Step.DONE)
        .retry(
            RetryPolicy.exponential(Duration.ofMillis(500), Duration.ofSeconds(5))
                .maxAttempts(4)
                .neverOn(RepositoryException.class, MissingObjectException.class))
        .build();
  }

  private Next plan(StateContext ctx) throws IOException {
    ReportInput input = ctx.input(ReportInput.class);
    try (GitRepository git = GitRepository.open(Path.of(input.repository()))) {
      Plan plan = new Planner(git, folders.archive(input.key())).plan(input);
      ctx.set(PLAN, plan);
      ctx.set(DONE, 0);
      return plan.total() == 0
          ? Next.moveTo(Step.MEASURE, "no new commits")
          : Next.moveTo(Step.COLLECT, Words.count(plan.total(), "new commit"));
    }
  }

  private Next collect(StateContext ctx) throws IOException {
    ReportInput input = ctx.input(ReportInput.class);
    Archive archive = folders.archive(input.key());
    int total = ctx.get(PLAN, Plan.class).total();
    int done = ctx.get(DONE, Integer.class);
    int now = Math.min(done + COMMITS_PER_STEP, total);
    List<String> ids = archive.readPlan(input.run(), done, now - done);
    archive.writePart(input.run(), done / COMMITS_PER_STEP, read(ctx, input, ids, total));
    ctx.set(DONE, now);
    return now < total
        ? Next.moveTo(Step.COLLECT, Words.number(now) + " of " + Words.count(total, "commit"))
        : Next.moveTo(Step.MEASURE, Words.count(total, "commit") + " collected");
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
    Archive archive = folders.archive(input.key());
    Measurer measurer = new Measurer(ctx.now());
    for (Part part : ctx.get(PLAN, Plan.class).outcome(input.run()).parts()) {
      ctx.cancelToken().throwIfCancelled();
      archive.readParts(part.run(), part.steps(), measurer::add);
    }
    Measures measures = measurer.measures();
    ctx.set(MEASURES, measures);
    return Next.moveTo(
        Step.RENDER, Words.count(measures.totals().commits(), "commit") + " measured");
  }

  private Next render(StateContext ctx) throws IOException {
    ReportInput input = ctx.input(ReportInput.class);
    Plan plan = ctx.get(PLAN, Plan.class);
    Subject subject =
        new Subject(
            plan.name(),
            input.key(),
            new Subject.Head(plan.branch(), plan.head()),
            input.run(),
            plan.total(),
            ctx.now(),
            plan.notes());
    String page = ReportPage.write(subject, ctx.get(MEASURES, Measures.class));
    Durable.write(folders.archive(input.key()).draft(input.run()), page);
    return Next.moveTo(Step.PUBLISH, Words.count(page.length(), "character") + " rendered");
  }

  private Next publish(StateContext ctx) throws IOException {
    ReportInput input = ctx.input(ReportInput.class);
    Plan plan = ctx.get(PLAN, Plan.class);
    Archive archive = folders.archive(input.key());
    Path report = folders.report(plan.name(), input.key());
    Durable.write(report, Files.readString(archive.draft(input.run())));
    archive.tidy(input.run(), plan.kept().stream().map(Part::run).toList());
    ctx.set(REPORT, report.toString());
    ctx.set(COLLECTED, plan.outcome(input.run()));
    return Next.moveTo(Step.DONE, "published as " + report.getFileName());
  }
}
