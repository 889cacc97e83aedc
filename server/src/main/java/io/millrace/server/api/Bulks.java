package io.millrace.server.api;

import io.millrace.server.bulk.BulkAction;
import io.millrace.server.bulk.BulkRequest;
import io.millrace.server.bulk.BulkRuns;
import io.millrace.server.bulk.InstanceFilter;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.Fields;
import io.millrace.server.http.Param;
import io.millrace.server.http.ProblemException;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Deeds on many instances at once. */
final class Bulks {

  private static final int CAP = 100_000;
  private static final int REASON = 1000;
  private static final Map<String, BulkAction> ACTIONS =
      Param.codes(BulkAction.values(), BulkAction::code);

  private final BulkRuns runs;
  private final InstanceAccess instances;

  Bulks(BulkRuns runs, InstanceAccess instances) {
    this.runs = runs;
    this.instances = instances;
  }

  Answer start(Call call) throws IOException {
    Fields body =
        call.body("action", "filter", "state", "signal", "reason", "dryRun", "expectedCount");
    BulkAction action = body.choice("action", ACTIONS);
    InstanceFilter filter = filter(body);
    instances.checkVariable(filter);
    String state = body.optionalText("state", Filters.NAME);
    BulkRequest.SignalToSend signal = signal(body);
    needs(action == BulkAction.MOVE, state, "state");
    needs(action == BulkAction.SIGNAL, signal, "signal");
    String reason = body.optionalText("reason", REASON);
    Long expected = body.optionalNumber("expectedCount", 0, Long.MAX_VALUE);
    long highest = runs.highestId();
    BulkRuns.Count count = runs.count(filter, CAP);
    if (body.flag("dryRun")) {
      return Answer.json(count);
    }
    check(expected, count);
    return begin(
        call,
        new BulkRequest(
            action,
            filter,
            state,
            signal,
            reason,
            call.caller().actor(),
            highest,
            count.count(),
            call.caller().role()));
  }

  private static void check(@Nullable Long expected, BulkRuns.Count count) {
    if (expected != null && !count.capped() && expected != count.count()) {
      throw ProblemException.of(
          409,
          count.count()
              + (count.count() == 1 ? " instance matches" : " instances match")
              + " now, not "
              + expected
              + " as expected. Look at them again before going on.");
    }
  }

  private Answer begin(Call call, BulkRequest request) {
    BulkRuns.Run run = runs.start(request, call.find(Starts.IDEMPOTENCY_KEY));
    return new Answer.Json(202, run);
  }

  /** Retries all instances of a failure group. */
  Answer retryFailures(Call call) throws IOException {
    String fingerprint = call.path("fingerprint", Filters.FINGERPRINT);
    String reason = call.body("reason").optionalText("reason", REASON);
    InstanceFilter filter = InstanceFilter.ofFailure(fingerprint);
    long highest = runs.highestId();
    BulkRuns.Count count = runs.count(filter, CAP);
    if (count.count() == 0) {
      throw ProblemException.notFound(
          "No failed instance belongs to group '"
              + fingerprint
              + "'; they may have been retried already.");
    }
    BulkRequest request =
        new BulkRequest(
            BulkAction.RETRY,
            filter,
            null,
            null,
            reason,
            call.caller().actor(),
            highest,
            count.count(),
            call.caller().role());
    BulkRuns.Run run = runs.start(request, null);
    return new Answer.Json(202, run);
  }

  Answer list(Call call) {
    return Answer.json(runs.list());
  }

  Answer get(Call call) {
    long id = call.id();
    return Answer.json(
        runs.find(id)
            .orElseThrow(() -> ProblemException.notFound("There is no bulk run " + id + ".")));
  }

  private static InstanceFilter filter(Fields body) {
    InstanceFilter filter = Filters.of(body, "filter");
    if (!filter.ids().isEmpty() && !filter.equals(InstanceFilter.ofIds(filter.ids()))) {
      throw ProblemException.invalid(
          "filter.ids", "stands beside other conditions; expected ids alone, or conditions alone.");
    }
    return filter;
  }

  private static BulkRequest.@Nullable SignalToSend signal(Fields body) {
    Fields signal = body.optionalObject("signal", Set.of("name", "payload"));
    return signal == null
        ? null
        : new BulkRequest.SignalToSend(signal.text("name", 1, Filters.NAME), signal.any("payload"));
  }

  private static void needs(boolean needed, @Nullable Object given, String name) {
    if (needed != (given != null)) {
      throw ProblemException.invalid(
          name, needed ? "is missing; this action needs it." : "is of no use for this action.");
    }
  }
}
