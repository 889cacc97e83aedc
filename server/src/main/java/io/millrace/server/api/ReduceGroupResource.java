package io.millrace.server.api;

import io.millrace.data.ReduceGroup;
import io.millrace.data.ReduceOptions;
import io.millrace.data.ReduceRecordState;
import io.millrace.instance.OperatorAction;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.JsonFields;
import io.millrace.server.http.Param;
import io.millrace.server.http.ProblemException;
import io.millrace.server.security.SecretNames;
import io.millrace.store.ReduceStore;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The groups of reduced records. A record is named by its key or by its key's token. The token also
 * reaches a record without a key, and a record of a group that hashes with a secret.
 */
final class ReduceGroupResource {

  static final Param<String> GROUP = Param.text("group", ReduceGroup.MAX_NAME);
  static final Param<String> KEY = Param.text("key", ReduceOptions.MAX_KEY);
  static final Param<String> AFTER = Param.text("after", ReduceGroup.MAX_NAME);

  private static final int MAX_KEYS = 1_000;
  private static final int REASON = 1_000;

  private final ReduceStore store;
  private final SecretNames secretNames;
  private final AuditRecorder auditRecorder;

  ReduceGroupResource(ApiContext context) {
    this.store = context.store().role(ReduceStore.class);
    this.secretNames = context.secretNames();
    this.auditRecorder = new AuditRecorder(context);
  }

  /** Schema ReduceRecordState. */
  record RecordView(
      String group,
      String key,
      String state,
      String why,
      int generation,
      @Nullable Instant committed,
      @Nullable Long executionId,
      @Nullable String reservedBy,
      @Nullable Instant reservedUntil) {}

  ApiResponse list(ApiRequest request) {
    return ApiResponse.json(store.groups(request.find(AFTER), request.get(InstanceResource.LIMIT)));
  }

  ApiResponse look(ApiRequest request) {
    ReduceGroup group = group(request.get(GROUP));
    String key = ReduceOptions.DEFAULT.checkedKey(request.get(KEY));
    Optional<ReduceRecordState> found = store.record(group.name(), ReduceOptions.DEFAULT.hash(key));
    return ApiResponse.json(view(group, key, found.or(() -> store.record(group.name(), key))));
  }

  private static RecordView view(ReduceGroup group, String key, Optional<ReduceRecordState> found) {
    ReduceRecordState.Pending pending = found.map(ReduceRecordState::pending).orElse(null);
    Instant committed = found.map(ReduceRecordState::committed).orElse(null);
    Long executionId = found.map(ReduceRecordState::committedBy).orElse(null);
    String state = pending != null ? "reserved" : committed != null ? "committed" : "new";
    return new RecordView(
        group.name(),
        key,
        state,
        why(state, executionId),
        group.generation(),
        committed,
        executionId,
        pending == null ? null : pending.owner(),
        pending == null ? null : pending.until());
  }

  private static String why(String state, @Nullable Long executionId) {
    return switch (state) {
      case "reserved" ->
          "Another run has reserved it: others get it once it is released, or its reservation ends.";
      case "committed" ->
          "It was committed "
              + (executionId == null ? "outside of instances" : "by instance " + executionId)
              + ": it is passed over until its content changes.";
      default ->
          "Nothing was committed of it since the last reset: it is passed on when it comes. Has the"
              + " group a secret, or no key, its token is to be given in place of the key.";
    };
  }

  ApiResponse reset(ApiRequest request) throws IOException {
    JsonFields body = request.body("group", "reason");
    String reason = body.optionalText("reason", REASON);
    ReduceGroup group = group(body.text("group", 1, ReduceGroup.MAX_NAME));
    int generation = store.reset(group.name());
    auditRecorder.record(
        new OperatorAction(request.caller().actor(), reason), "resetReduceGroup", group.name());
    return ApiResponse.json(Map.of("generation", generation));
  }

  ApiResponse forget(ApiRequest request) throws IOException {
    JsonFields body = request.body("group", "keys", "reason");
    String reason = body.optionalText("reason", REASON);
    String name = body.text("group", 1, ReduceGroup.MAX_NAME);
    List<String> keys = body.texts("keys", MAX_KEYS, ReduceOptions.MAX_KEY);
    if (keys.isEmpty()) {
      throw ProblemException.invalid(
          "keys", "is empty; expected the keys to forget. To forget all, reset the group.");
    }
    ReduceGroup group = group(name);
    keys.forEach(ReduceOptions.DEFAULT::checkedKey);
    int forgotten =
        store.forget(
            group.name(),
            keys.stream()
                .flatMap(key -> Stream.of(ReduceOptions.DEFAULT.hash(key), key))
                .distinct()
                .toList());
    auditRecorder.record(
        new OperatorAction(request.caller().actor(), reason), "forgetReduced", group.name());
    return ApiResponse.json(Map.of("forgotten", forgotten));
  }

  ApiResponse dryRun(ApiRequest request) throws IOException {
    ReduceDryRun run = ReduceDryRun.of(request.body(ReduceDryRun.MEMBERS));
    run.refuseSecrets(secretNames);
    group(run.group());
    return ApiResponse.json(run.compare(store));
  }

  private ReduceGroup group(String name) {
    return store
        .find(ReduceGroup.checked(name))
        .orElseThrow(() ->
            ProblemException.notFound(
                "There is no group of records '"
                    + name
                    + "'; one is made when records are compared under its name."));
  }
}
