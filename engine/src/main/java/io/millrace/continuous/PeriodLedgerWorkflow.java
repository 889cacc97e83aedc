package io.millrace.continuous;

import io.millrace.data.PeriodLedger;
import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.InvalidRequestException;
import io.millrace.schedule.CalendarPeriod;
import io.millrace.schedule.InvalidScheduleException;
import java.time.DateTimeException;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * The period ledger as a workflow, to be started as a child by any number of others. A workflow's
 * id is the input; the variables {@code shouldRun}, {@code claimId} and {@code fencingToken} are
 * the result. The parent reads them with {@code ctx.childVariables("shouldRun", Boolean.class)}.
 */
public final class PeriodLedgerWorkflow {

  /** The type of the workflow. */
  public static final String TYPE = "once-per-period";

  /** Variable that is true if the parent must do the work of the period. */
  public static final String SHOULD_RUN = "shouldRun";

  public static final String CLAIM_ID = "claimId";

  public static final String FENCING_TOKEN = "fencingToken";

  private PeriodLedgerWorkflow() {}

  /**
   * A request to the ledger.
   *
   * @param key names the work that is done once a period, for example a job's name
   * @param period the name of a {@link CalendarPeriod}, or null for a day
   * @param zone time zone of the calendar, for example {@code Africa/Johannesburg}; null for UTC
   * @param periodKey a key that the caller chooses; null for that of the period
   * @param executionId the instance that does the work, whose end closes the period; null to record
   *     the period as done when it is claimed
   */
  public record Request(
      String key,
      @Nullable String period,
      @Nullable String zone,
      @Nullable String periodKey,
      @Nullable Long executionId) {

    /** Returns a request for the current period on behalf of an instance. */
    public static Request of(
        String key, CalendarPeriod calendarPeriod, ZoneId zone, long executionId) {
      return new Request(key, calendarPeriod.name(), zone.getId(), null, executionId);
    }
  }

  /** Returns the workflow, which every engine that may run it needs. */
  public static WorkflowDefinition definition() {
    return WorkflowDefinition.of(TYPE)
        .start("claim", PeriodLedgerWorkflow::claim)
        .end("answered")
        .build();
  }

  private static Next claim(StateContext ctx) {
    Request request = ctx.input(Request.class);
    String period;
    try {
      period = period(ctx, request);
    } catch (InvalidRequestException | InvalidScheduleException | DateTimeException e) {
      return Next.fail("the question cannot be answered: " + e.getMessage());
    }
    PeriodLedger ledger = ctx.periodLedger();
    Long execution = request.executionId();
    PeriodLedger.Claim claim =
        execution == null
            ? ledger.claim(request.key(), period)
            : ledger.claimFor(request.key(), period, execution);
    ctx.set(SHOULD_RUN, claim.shouldRun());
    ctx.set(CLAIM_ID, claim.claimId());
    ctx.set(FENCING_TOKEN, claim.fencingToken());
    return Next.moveTo(
        "answered",
        claim.shouldRun()
            ? "period " + period + " is to be done"
            : "period " + period + " is claimed by another instance, or done");
  }

  private static String period(StateContext ctx, Request request) {
    if (request.periodKey() != null) {
      return request.periodKey();
    }
    CalendarPeriod calendarPeriod =
        request.period() == null ? CalendarPeriod.LOCAL_DATE : CalendarPeriod.of(request.period());
    ZoneId zone = ZoneId.of(request.zone() == null ? "UTC" : request.zone());
    return calendarPeriod.key(ctx.now(), zone);
  }
}
