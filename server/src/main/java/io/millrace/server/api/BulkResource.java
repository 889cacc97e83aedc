package io.millrace.server.api;

import io.millrace.server.bulk.BulkAction;
import io.millrace.server.bulk.BulkRequest;
import io.millrace.server.bulk.BulkRuns;
import io.millrace.server.bulk.InstanceFilter;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.JsonFields;
import io.millrace.server.http.Param;
import io.millrace.server.http.ProblemException;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The operations on many instances at once. */
final class BulkResource {

  private static final int CAP = 100_000;
  private static final int REASON = 1000;
  private static final String USELESS = "is of no use for this action.";
  private static final Map<String, BulkAction> ACTIONS =
      Param.codes(BulkAction.values(), BulkAction::code);

  private final BulkRuns runs;
  private final InstanceAccess instances;

  BulkResource(BulkRuns runs, InstanceAccess instances) {
    this.runs = runs;
    this.instances = instances;
  }

  ApiResponse start(ApiRequest apiRequest) throws IOException {
    JsonFields body =
        apiRequest.body(
            "action", "filter", "state", "force", "signal", "reason", "dryRun", "expectedCount");
    BulkAction action = body.choice("action", ACTIONS);
    InstanceFilter filter = filter(body);
    instances.checkVariable(filter);
    String state = body.optionalText("state", InstanceFilterReader.NAME);
    BulkRequest.SignalToSend signal = signal(body);
    needs(action == BulkAction.MOVE, state, "state");
    needs(action == BulkAction.SIGNAL, signal, "signal");
    boolean force = body.flag("force");
    if (force && action != BulkAction.MOVE) {
      throw ProblemException.invalid("force", USELESS);
    }
    String reason = body.optionalText("reason", REASON);
    Long expected = body.optionalNumber("expectedCount", 0, Long.MAX_VALUE);
    long highest = runs.highestId();
    BulkRuns.Count count = runs.count(filter, CAP);
    if (body.flag("dryRun")) {
      return ApiResponse.json(count);
    }
    check(expected, count);
    return begin(
        apiRequest,
        new BulkRequest(
            action,
            filter,
            state,
            force,
            signal,
            reason,
            apiRequest.caller().actor(),
            highest,
            count.count(),
            apiRequest.caller().role()));
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

  private ApiResponse begin(ApiRequest apiRequest, BulkRequest request) {
    BulkRuns.Run run = runs.start(request, apiRequest.find(StartResource.IDEMPOTENCY_KEY));
    return new ApiResponse.Json(202, run);
  }

  /** Retries all instances of a failure group. */
  ApiResponse retryFailures(ApiRequest apiRequest) throws IOException {
    String fingerprint = apiRequest.path("fingerprint", InstanceFilterReader.FINGERPRINT);
    String reason = apiRequest.body("reason").optionalText("reason", REASON);
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
            false,
            null,
            reason,
            apiRequest.caller().actor(),
            highest,
            count.count(),
            apiRequest.caller().role());
    BulkRuns.Run run = runs.start(request, null);
    return new ApiResponse.Json(202, run);
  }

  ApiResponse list(ApiRequest apiRequest) {
    return ApiResponse.json(runs.list());
  }

  ApiResponse get(ApiRequest apiRequest) {
    long id = apiRequest.id();
    return ApiResponse.json(
        runs.find(id)
            .orElseThrow(() -> ProblemException.notFound("There is no bulk run " + id + ".")));
  }

  private static InstanceFilter filter(JsonFields body) {
    InstanceFilter filter = InstanceFilterReader.of(body, "filter");
    if (!filter.ids().isEmpty() && !filter.equals(InstanceFilter.ofIds(filter.ids()))) {
      throw ProblemException.invalid(
          "filter.ids", "stands beside other conditions; expected ids alone, or conditions alone.");
    }
    return filter;
  }

  private static BulkRequest.@Nullable SignalToSend signal(JsonFields body) {
    JsonFields signal = body.optionalObject("signal", Set.of("name", "payload"));
    return signal == null
        ? null
        : new BulkRequest.SignalToSend(
            signal.text("name", 1, InstanceFilterReader.NAME), signal.json("payload"));
  }

  private static void needs(boolean needed, @Nullable Object given, String name) {
    if (needed != (given != null)) {
      throw ProblemException.invalid(name, needed ? "is missing; this action needs it." : USELESS);
    }
  }
}
