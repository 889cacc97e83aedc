package io.millrace.server.api;

import io.millrace.data.PeriodClaimRequest;
import io.millrace.data.PeriodClaimResult;
import io.millrace.data.PeriodEntry;
import io.millrace.data.PeriodId;
import io.millrace.data.PeriodQuery;
import io.millrace.data.PeriodState;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.Page;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.JsonFields;
import io.millrace.server.http.Param;
import io.millrace.server.http.ProblemException;
import io.millrace.store.PeriodLedgerStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The period ledger: which periods are done, and which are claimed. */
final class PeriodLedgerResource {

  static final Param<String> SCHEDULE = Param.text("schedule", PeriodId.MAX_KEY);
  static final Param<String> PERIOD = Param.text("period", PeriodId.MAX_PERIOD);
  static final Param<String> AFTER = Param.text("after", PeriodId.MAX_KEY);
  static final Param<String> FROM = Param.text("from", PeriodId.MAX_PERIOD);
  static final Param<String> TO = Param.text("to", PeriodId.MAX_PERIOD);
  static final Param<List<PeriodState>> STATE =
      Param.choices("state", Param.codes(PeriodState.values(), PeriodState::code));

  private static final int CLAIMANT = 200;
  private static final int REASON = 1000;
  private static final long MAX_LEASE = Duration.ofDays(31).toSeconds();
  private static final Map<String, PeriodState.Operation> ENDS =
      Map.of(
          "complete", PeriodState.Operation.COMPLETE,
          "fail", PeriodState.Operation.FAIL,
          "release", PeriodState.Operation.RELEASE);

  private final PeriodLedgerStore store;
  private final AuditRecorder auditRecorder;

  PeriodLedgerResource(ApiContext context) {
    this.store = context.store().role(PeriodLedgerStore.class);
    this.auditRecorder = new AuditRecorder(context);
  }

  /** Schema LedgerEntry. */
  record EntryView(
      String schedule,
      String period,
      String state,
      int attempt,
      long token,
      String holder,
      @Nullable Long executorId,
      @Nullable Long executionId,
      @Nullable Instant leaseUntil,
      Instant claimed,
      @Nullable Instant ended,
      @Nullable String reason) {

    static EntryView of(PeriodEntry one) {
      return new EntryView(
          one.id().key(),
          one.id().period(),
          one.state().code(),
          one.attempt(),
          one.hold().token(),
          one.hold().holder(),
          one.hold().executorId(),
          one.hold().executionId(),
          one.hold().leaseUntil(),
          one.claimed(),
          one.ended(),
          one.reason());
    }
  }

  /** Schema LedgerPage. */
  record EntryPage(List<EntryView> items, @Nullable String next) {}

  /** Schema LedgerClaim. */
  record ClaimView(boolean claimed, EntryView entry) {}

  ApiResponse schedules(ApiRequest apiRequest) {
    int limit = apiRequest.get(InstanceResource.LIMIT);
    return ApiResponse.json(
        KeyValueResource.NamePage.of(store.keys(apiRequest.find(AFTER), limit), limit));
  }

  ApiResponse list(ApiRequest apiRequest) {
    Page<PeriodEntry> page =
        store.list(
            new PeriodQuery(
                apiRequest.get(SCHEDULE),
                apiRequest.find(FROM),
                apiRequest.find(TO),
                Set.copyOf(apiRequest.get(STATE)),
                apiRequest.find(InstanceResource.CURSOR),
                apiRequest.get(InstanceResource.LIMIT)));
    return ApiResponse.json(
        new EntryPage(page.items().stream().map(EntryView::of).toList(), page.next()));
  }

  ApiResponse get(ApiRequest apiRequest) {
    PeriodId id = new PeriodId(apiRequest.get(SCHEDULE), apiRequest.get(PERIOD));
    return ApiResponse.json(
        EntryView.of(
            store
                .find(id)
                .orElseThrow(() ->
                    ProblemException.notFound(
                        "Nobody has claimed period '"
                            + id.period()
                            + "' of '"
                            + id.key()
                            + "', and it was not written down as missed."))));
  }

  ApiResponse claim(ApiRequest apiRequest) throws IOException {
    JsonFields body =
        apiRequest.body("schedule", "period", "claimant", "leaseSeconds", "maxAttempts");
    Long seconds = body.optionalNumber("leaseSeconds", 1, MAX_LEASE);
    Long attempts = body.optionalNumber("maxAttempts", 1, 1_000_000);
    PeriodClaimRequest request =
        PeriodClaimRequest.atLeastOnce(
            id(body),
            body.text("claimant", 1, CLAIMANT),
            Duration.ofSeconds(seconds == null ? 900 : seconds));
    PeriodClaimResult claim =
        store.claim(attempts == null ? request : request.maxAttempts(attempts.intValue()), null);
    return switch (claim) {
      case PeriodClaimResult.Claimed mine ->
          ApiResponse.json(new ClaimView(true, EntryView.of(mine.entry())));
      case PeriodClaimResult.Taken other ->
          ApiResponse.json(new ClaimView(false, EntryView.of(other.entry())));
      case PeriodClaimResult.Fenced fenced ->
          throw new IllegalStateException("a claim without fence was fenced");
    };
  }

  ApiResponse end(ApiRequest apiRequest) throws IOException {
    JsonFields body = apiRequest.body("schedule", "period", "token", "operation", "reason");
    PeriodId id = id(body);
    Long token = body.optionalNumber("token", 1, Long.MAX_VALUE);
    if (token == null) {
      throw ProblemException.invalid("token", "is missing; expected that of the claim.");
    }
    PeriodState.Operation operation = body.choice("operation", ENDS);
    PeriodLedgerStore.CloseResult end =
        store.close(
            new PeriodLedgerStore.CloseRequest(
                id, token, operation, body.optionalText("reason", REASON)),
            null);
    if (end instanceof PeriodLedgerStore.CloseResult.NotHolder notHolder) {
      throw ProblemException.of(409, passedOn(id, notHolder.current()));
    }
    auditRecorder.record(
        OperatorAction.by(apiRequest.caller().actor()), "endPeriod", id.toString());
    return ApiResponse.empty();
  }

  private static String passedOn(PeriodId id, @Nullable PeriodEntry current) {
    return current == null
        ? "Nobody has claimed " + id + "; claim it first."
        : "This token holds "
            + id
            + " no more: it is "
            + current.state().code()
            + " under token "
            + current.hold().token()
            + " of "
            + current.hold().holder()
            + ".";
  }

  private static PeriodId id(JsonFields body) {
    return new PeriodId(
        body.text("schedule", 1, PeriodId.MAX_KEY), body.text("period", 1, PeriodId.MAX_PERIOD));
  }
}
