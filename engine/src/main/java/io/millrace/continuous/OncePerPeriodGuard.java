package io.millrace.continuous;

import io.millrace.data.OncePerPeriod;
import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.InvalidRequestException;
import io.millrace.schedule.Period;
import java.time.DateTimeException;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * The guard of periods as a workflow of its own, to be started as a child by any number of others:
 * a workflow's id goes in, and the variable {@code shouldRun} comes out, with {@code claimId} and
 * {@code fencingToken}. The parent reads them with {@code ctx.fromChildren("shouldRun",
 * Boolean.class)}.
 */
public final class OncePerPeriodGuard {

  /** The type of the workflow. */
  public static final String TYPE = "once-per-period";

  /** True for the one who is to do the work of the period. */
  public static final String SHOULD_RUN = "shouldRun";

  public static final String CLAIM_ID = "claimId";

  public static final String FENCING_TOKEN = "fencingToken";

  private OncePerPeriodGuard() {}

  /**
   * What is asked.
   *
   * @param workflowId whose period it is
   * @param period the name of a {@link Period}, or null for a day
   * @param zone whose calendar it is, for example {@code Africa/Johannesburg}; null for UTC
   * @param periodKey a key of the caller's own, which is taken as it is; null for that of the
   *     period
   * @param executionId the instance that is to do the work, whose end closes the period; null to
   *     have the period done as soon as it is claimed
   */
  public record Question(
      String workflowId,
      @Nullable String period,
      @Nullable String zone,
      @Nullable String periodKey,
      @Nullable Long executionId) {

    /** For the period that it is now, on behalf of an instance. */
    public static Question of(String workflowId, Period period, ZoneId zone, long executionId) {
      return new Question(workflowId, period.name(), zone.getId(), null, executionId);
    }
  }

  /** The workflow, to be given to every engine that may run it. */
  public static WorkflowDefinition definition() {
    return WorkflowDefinition.of(TYPE)
        .start("claim", OncePerPeriodGuard::claim)
        .end("answered")
        .build();
  }

  private static Next claim(StateContext ctx) {
    Question question = ctx.input(Question.class);
    String key;
    try {
      key = key(ctx, question);
    } catch (InvalidRequestException | DateTimeException e) {
      return Next.fail("the question cannot be answered: " + e.getMessage());
    }
    OncePerPeriod guard = ctx.oncePerPeriod();
    Long execution = question.executionId();
    OncePerPeriod.Answer answer =
        execution == null
            ? guard.claim(question.workflowId(), key)
            : guard.claimFor(question.workflowId(), key, execution);
    ctx.set(SHOULD_RUN, answer.shouldRun());
    ctx.set(CLAIM_ID, answer.claimId());
    ctx.set(FENCING_TOKEN, answer.fencingToken());
    return Next.moveTo(
        "answered",
        answer.shouldRun()
            ? "period " + key + " is to be done"
            : "period " + key + " is somebody else's, or done");
  }

  private static String key(StateContext ctx, Question question) {
    if (question.periodKey() != null) {
      return question.periodKey();
    }
    Period period = question.period() == null ? Period.LOCAL_DATE : Period.of(question.period());
    ZoneId zone = ZoneId.of(question.zone() == null ? "UTC" : question.zone());
    return period.key(ctx.now(), zone);
  }
}
