package io.millrace.server.api;

import io.millrace.data.Fire;
import io.millrace.data.FireClaim;
import io.millrace.data.FireId;
import io.millrace.data.FireQuery;
import io.millrace.data.FireRequest;
import io.millrace.data.FireState;
import io.millrace.instance.Deed;
import io.millrace.instance.Page;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.Fields;
import io.millrace.server.http.Param;
import io.millrace.server.http.ProblemException;
import io.millrace.store.FireStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The fire ledger: what was done once a period, and the right to do it. */
final class Periods {

  static final Param<String> SCHEDULE = Param.text("schedule", FireId.MAX_SCHEDULE);
  static final Param<String> PERIOD = Param.text("period", FireId.MAX_PERIOD);
  static final Param<String> AFTER = Param.text("after", FireId.MAX_SCHEDULE);
  static final Param<String> FROM = Param.text("from", FireId.MAX_PERIOD);
  static final Param<String> TO = Param.text("to", FireId.MAX_PERIOD);
  static final Param<List<FireState>> STATE =
      Param.choices("state", Param.codes(FireState.values(), FireState::code));

  private static final int CLAIMANT = 200;
  private static final int REASON = 1000;
  private static final long LONGEST_LEASE = Duration.ofDays(31).toSeconds();
  private static final Map<String, FireState.Deed> ENDS =
      Map.of(
          "complete", FireState.Deed.COMPLETE,
          "fail", FireState.Deed.FAIL,
          "release", FireState.Deed.RELEASE);

  private final FireStore store;
  private final Trail trail;

  Periods(Sources sources) {
    this.store = sources.store().fires();
    this.trail = new Trail(sources);
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

    static EntryView of(Fire one) {
      return new EntryView(
          one.id().schedule(),
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

  Answer schedules(Call call) {
    int limit = call.get(Instances.LIMIT);
    return Answer.json(KeyValues.NamePage.of(store.schedules(call.find(AFTER), limit), limit));
  }

  Answer list(Call call) {
    Page<Fire> page =
        store.list(
            new FireQuery(
                call.get(SCHEDULE),
                call.find(FROM),
                call.find(TO),
                Set.copyOf(call.get(STATE)),
                call.find(Instances.CURSOR),
                call.get(Instances.LIMIT)));
    return Answer.json(
        new EntryPage(page.items().stream().map(EntryView::of).toList(), page.next()));
  }

  Answer get(Call call) {
    FireId id = new FireId(call.get(SCHEDULE), call.get(PERIOD));
    return Answer.json(
        EntryView.of(
            store
                .find(id)
                .orElseThrow(() ->
                    ProblemException.notFound(
                        "Nobody has claimed period '"
                            + id.period()
                            + "' of '"
                            + id.schedule()
                            + "', and it was not written down as missed."))));
  }

  Answer claim(Call call) throws IOException {
    Fields body = call.body("schedule", "period", "claimant", "leaseSeconds", "maxAttempts");
    Long seconds = body.optionalNumber("leaseSeconds", 1, LONGEST_LEASE);
    Long attempts = body.optionalNumber("maxAttempts", 1, 1_000_000);
    FireRequest request =
        FireRequest.atLeastOnce(
            id(body),
            body.text("claimant", 1, CLAIMANT),
            Duration.ofSeconds(seconds == null ? 900 : seconds));
    FireClaim claim =
        store.claim(attempts == null ? request : request.maxAttempts(attempts.intValue()), null);
    return switch (claim) {
      case FireClaim.Claimed mine -> Answer.json(new ClaimView(true, EntryView.of(mine.fire())));
      case FireClaim.Taken other -> Answer.json(new ClaimView(false, EntryView.of(other.fire())));
      case FireClaim.Fenced fenced ->
          throw new IllegalStateException("a claim without fence was fenced");
    };
  }

  Answer end(Call call) throws IOException {
    Fields body = call.body("schedule", "period", "token", "deed", "reason");
    FireId id = id(body);
    Long token = body.optionalNumber("token", 1, Long.MAX_VALUE);
    if (token == null) {
      throw ProblemException.invalid("token", "is missing; expected that of the claim.");
    }
    FireState.Deed deed = body.choice("deed", ENDS);
    FireStore.FireEnd end =
        store.end(new FireStore.End(id, token, deed, body.optionalText("reason", REASON)), null);
    if (end instanceof FireStore.FireEnd.Passed passed) {
      throw ProblemException.of(409, passedOn(id, passed.current()));
    }
    trail.done(Deed.by(call.caller().actor()), "endPeriod", id.toString());
    return Answer.empty();
  }

  private static String passedOn(FireId id, @Nullable Fire current) {
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

  private static FireId id(Fields body) {
    return new FireId(
        body.text("schedule", 1, FireId.MAX_SCHEDULE), body.text("period", 1, FireId.MAX_PERIOD));
  }
}
