package io.millrace.server.api;

import io.millrace.data.ReduceGroup;
import io.millrace.data.ReduceOptions;
import io.millrace.data.ReduceRecord;
import io.millrace.instance.Deed;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.Fields;
import io.millrace.server.http.Param;
import io.millrace.server.http.ProblemException;
import io.millrace.store.ReduceStore;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Groups of reduced records. A record is named by its key, or by its key's token: that is how one
 * without a key, or of a group that hashes under a secret, can be reached.
 */
final class ReduceGroups {

  static final Param<String> GROUP = Param.text("group", ReduceGroup.MAX_NAME);
  static final Param<String> KEY = Param.text("key", ReduceOptions.MAX_KEY);
  static final Param<String> AFTER = Param.text("after", ReduceGroup.MAX_NAME);

  private static final int MOST_KEYS = 1_000;
  private static final int REASON = 1_000;

  private final ReduceStore store;
  private final Trail trail;

  ReduceGroups(Sources sources) {
    this.store = sources.store().reductions();
    this.trail = new Trail(sources);
  }

  /** Schema ReduceRecord. */
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

  Answer list(Call call) {
    return Answer.json(store.groups(call.find(AFTER), call.get(Instances.LIMIT)));
  }

  Answer look(Call call) {
    ReduceGroup group = group(call.get(GROUP));
    String key = ReduceOptions.DEFAULT.checkedKey(call.get(KEY));
    Optional<ReduceRecord> found = store.record(group.name(), ReduceOptions.DEFAULT.hash(key));
    return Answer.json(view(group, key, found.or(() -> store.record(group.name(), key))));
  }

  private static RecordView view(ReduceGroup group, String key, Optional<ReduceRecord> found) {
    ReduceRecord.Pending pending = found.map(ReduceRecord::pending).orElse(null);
    Instant committed = found.map(ReduceRecord::committed).orElse(null);
    Long executionId = found.map(ReduceRecord::committedBy).orElse(null);
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
          "Somebody is working on it: others get it once it is released, or its reservation ends.";
      case "committed" ->
          "It was committed "
              + (executionId == null ? "outside of instances" : "by instance " + executionId)
              + ": it is passed over until its content changes.";
      default ->
          "Nothing was committed of it since the last reset: it is passed on when it comes. Has the"
              + " group a secret, or no key, its token is to be given in place of the key.";
    };
  }

  Answer reset(Call call) throws IOException {
    Fields body = call.body("group", "reason");
    String reason = body.optionalText("reason", REASON);
    ReduceGroup group = group(body.text("group", 1, ReduceGroup.MAX_NAME));
    int generation = store.reset(group.name());
    trail.done(new Deed(call.caller().actor(), reason), "resetReduceGroup", group.name());
    return Answer.json(Map.of("generation", generation));
  }

  Answer forget(Call call) throws IOException {
    Fields body = call.body("group", "keys", "reason");
    String reason = body.optionalText("reason", REASON);
    String name = body.text("group", 1, ReduceGroup.MAX_NAME);
    List<String> keys = body.texts("keys", MOST_KEYS, ReduceOptions.MAX_KEY);
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
    trail.done(new Deed(call.caller().actor(), reason), "forgetReduced", group.name());
    return Answer.json(Map.of("forgotten", forgotten));
  }

  Answer dryRun(Call call) throws IOException {
    DryRun run = DryRun.of(call.body(DryRun.MEMBERS));
    group(run.group());
    return Answer.json(run.compare(store));
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
