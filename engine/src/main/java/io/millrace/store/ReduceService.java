package io.millrace.store;

import io.millrace.data.ChangeType;
import io.millrace.data.RecordDocument;
import io.millrace.data.Reduce;
import io.millrace.data.ReduceAction;
import io.millrace.data.ReduceGroup;
import io.millrace.data.ReduceOptions;
import io.millrace.data.ReduceOptions.Retention;
import io.millrace.data.ReduceSource;
import io.millrace.data.ReduceToken;
import io.millrace.data.ReducedRecord;
import io.millrace.data.Reduction;
import io.millrace.instance.InvalidRequestException;
import io.millrace.store.ReduceStore.Commit;
import io.millrace.store.ReduceStore.Comparison;
import io.millrace.store.ReduceStore.ComparisonResult;
import io.millrace.store.ReduceStore.FollowUp;
import io.millrace.store.ReduceStore.HashedRecord;
import io.millrace.store.ReduceStore.MissingRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The reduced records of a store, accessed on behalf of a caller. */
public final class ReduceService implements Reduce {

  /**
   * The caller of a comparison.
   *
   * @param json writes a record
   * @param later receives commits that belong to a transition; null to commit at once
   * @param owner of reservations
   * @param executionId the instance that commits; null for none
   */
  public record Context(
      ReduceStore store,
      StoreCaller caller,
      Function<Object, String> json,
      @Nullable Consumer<Commit> later,
      String owner,
      @Nullable Long executionId) {}

  private final Context context;
  private final String group;
  private final ReduceOptions options;

  /**
   * @throws InvalidRequestException if the group's name is invalid
   */
  public ReduceService(Context context, String group) {
    this(context, ReduceGroup.checked(group), ReduceOptions.DEFAULT);
  }

  private ReduceService(Context context, String group, ReduceOptions options) {
    this.context = context;
    this.group = group;
    this.options = options;
  }

  private Reduce with(ReduceOptions changed) {
    return new ReduceService(context, group, changed);
  }

  @Override
  public Reduce key(String path) {
    return with(options.key(path));
  }

  @Override
  public Reduce ignore(String... paths) {
    return with(options.ignored(List.of(paths)));
  }

  @Override
  public Reduce only(String... paths) {
    return with(options.only(List.of(paths)));
  }

  @Override
  public Reduce asWritten() {
    return with(options.canonical(false));
  }

  @Override
  public Reduce secret(byte[] key) {
    List<Byte> bytes = new ArrayList<>();
    for (byte one : key) {
      bytes.add(one);
    }
    return with(options.secret(bytes));
  }

  @Override
  public Reduce reserve(Duration lease) {
    Retention old = options.keeping();
    return with(options.keeping(new Retention(lease, old.retention(), old.maxEntries())));
  }

  @Override
  public Reduce retention(Duration time) {
    Retention old = options.keeping();
    return with(options.keeping(new Retention(old.lease(), time, old.maxEntries())));
  }

  @Override
  public Reduce maxEntries(long most) {
    Retention old = options.keeping();
    return with(options.keeping(new Retention(old.lease(), old.retention(), most)));
  }

  @Override
  public Reduce detectDeletions(int maxDeletePercent) {
    return with(options.full(maxDeletePercent));
  }

  @Override
  public <T> Reduction<T> reduce(List<T> records) {
    Function<String, RecordDocument.ParsedRecord> reader = RecordDocument.json(options);
    List<RecordDocument.ParsedRecord> read =
        records.stream()
            .map(record ->
                reader.apply(
                    context.json.apply(InvalidRequestException.requirePresent(record, "A record"))))
            .toList();
    return compared(records, read, then());
  }

  private FollowUp then() {
    Duration lease = options.lease();
    return lease == null ? new FollowUp.None() : new FollowUp.Reserve(context.owner, lease);
  }

  private <T> Reduction<T> compared(
      List<T> values, List<RecordDocument.ParsedRecord> records, FollowUp followUp) {
    List<Reduction.Fault> faults = new ArrayList<>();
    Map<String, Place> lastOfKeys = new LinkedHashMap<>();
    for (int i = 0; i < records.size(); i++) {
      RecordDocument.ParsedRecord record = records.get(i);
      if (record.fault() != null) {
        faults.add(new Reduction.Fault(i, "Record " + i + " " + record.fault() + "."));
      } else {
        HashedRecord hashedRecord = HashedRecord.of(record, options);
        lastOfKeys.remove(hashedRecord.keyHash()); // so that the order is that of the last ones
        lastOfKeys.put(hashedRecord.keyHash(), new Place(i, hashedRecord));
      }
    }
    List<Place> places = List.copyOf(lastOfKeys.values());
    List<HashedRecord> items = places.stream().map(Place::item).toList();
    ComparisonResult comparisonResult = compare(items, followUp, options.isFull());
    refuseBadDeletions(comparisonResult, items);
    ReducedRecord.Completion completion = new Ending();
    List<ReducedRecord<T>> due = new ArrayList<>();
    int reserved = 0;
    for (int i = 0; i < items.size(); i++) {
      ChangeType change = comparisonResult.changes().get(i);
      reserved += change == ChangeType.RESERVED ? 1 : 0;
      if (change.isDue()) {
        HashedRecord hashedRecord = items.get(i);
        due.add(
            new ReducedRecord<>(
                values.get(places.get(i).index()),
                change,
                new ReduceToken(
                    hashedRecord.keyHash(),
                    hashedRecord.valueHash(),
                    comparisonResult.generation(),
                    comparisonResult.sourceSeq(),
                    hashedRecord.keyText()),
                idempotencyKey(hashedRecord, comparisonResult, i),
                completion));
      }
    }
    int unchanged = records.size() - faults.size() - due.size() - reserved;
    return new Reduction<>(due, unchanged, reserved, deleted(comparisonResult, completion), faults);
  }

  /** A record of a request, by its index there. */
  private record Place(int index, HashedRecord item) {}

  private ComparisonResult compare(List<HashedRecord> items, FollowUp followUp, boolean full) {
    Retention retention = options.keeping();
    if (retention.isLimited()) {
      while (trimPart(retention)) {}
    }
    Comparison comparison = new Comparison(group, items, followUp, full);
    return context
        .caller
        .call(() -> context.store.compare(comparison, context.caller.fence()))
        .orElseThrow(() -> context.caller.fencedException("Group '" + group + "'"));
  }

  /** Returns true if more may be left. */
  private boolean trimPart(Retention retention) {
    return context
        .caller
        .call(() -> context.store.trim(group, retention.retention(), retention.maxEntries()))
        .more();
  }

  /**
   * Returns a key that changes when a content returns: a receiver that remembers keys must not take
   * it for a repetition.
   */
  private String idempotencyKey(
      HashedRecord hashedRecord, ComparisonResult comparisonResult, int index) {
    return ReduceOptions.DEFAULT.hash(
        String.join(
            "|",
            group,
            hashedRecord.keyHash(),
            hashedRecord.valueHash(),
            "" + comparisonResult.generation(),
            comparisonResult.bases().get(index)));
  }

  private void refuseBadDeletions(ComparisonResult comparisonResult, List<HashedRecord> items) {
    if (!options.isFull()) {
      return;
    }
    long missing = comparisonResult.missing().size();
    long unnamed = comparisonResult.missing().stream().filter(one -> one.keyText() == null).count();
    if (missing * 100 > options.maxDeletePercent() * comparisonResult.stored()) {
      throw refused(
          items,
          "Of the "
              + comparisonResult.stored()
              + " records of group '"
              + group
              + "' the source lacks "
              + missing
              + ", which is more than "
              + options.maxDeletePercent()
              + " %. Nothing was passed on: see whether the source was read to its end, or allow"
              + " more.");
    }
    if (unnamed > 0 && options.key() != null) {
      throw refused(
          items,
          "The source lacks "
              + unnamed
              + " records of group '"
              + group
              + "' whose keys are not known, because they were committed without detectDeletions(...). Nothing"
              + " was passed on. Reset the group, which passes all records on again, and commit with"
              + " detectDeletions(...) from then on.");
    }
  }

  /** Releases all reservations of a refused comparison, which returns no records. */
  private InvalidRequestException refused(List<HashedRecord> items, String message) {
    if (options.lease() != null) {
      List<String> keys = items.stream().map(HashedRecord::keyHash).toList();
      context.caller.call(() -> context.store.release(group, context.owner, keys));
    }
    return new InvalidRequestException(message);
  }

  private static List<Reduction.Deleted> deleted(
      ComparisonResult comparisonResult, ReducedRecord.Completion completion) {
    List<Reduction.Deleted> deleted = new ArrayList<>();
    for (MissingRecord missingRecord : comparisonResult.missing()) {
      String key =
          missingRecord.keyText() == null ? missingRecord.keyHash() : missingRecord.keyText();
      deleted.add(new Reduction.Deleted(key, missingRecord.keyHash(), completion));
    }
    return deleted;
  }

  @Override
  public String document(ReduceAction action, ReduceSource source, String document) {
    RecordDocument read = RecordDocument.of(source, options, document);
    List<RecordDocument.ParsedRecord> records = read.all();
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      all.add(i);
      String fault = records.get(i).fault();
      if (fault != null && action != ReduceAction.COMMIT_WITH_TOKENS) {
        throw new InvalidRequestException(
            "Record " + i + " at '" + source.path() + "' " + fault + ".");
      }
    }
    return switch (action) {
      case REDUCE, REDUCE_WITH_TOKENS -> {
        Reduction<Integer> reduction = compared(all, records, then());
        yield passedOn(read, all, reduction, action == ReduceAction.REDUCE_WITH_TOKENS);
      }
      case REDUCE_COMMIT -> {
        boolean atOnce = context.later == null;
        Reduction<Integer> reduction =
            compared(
                all,
                records,
                atOnce ? new FollowUp.CommitNow(context.executionId) : new FollowUp.None());
        if (!atOnce) {
          commit(reduction.changed().stream().map(ReducedRecord::token).toList(), List.of());
        }
        yield passedOn(read, all, reduction, false);
      }
      case COMMIT -> {
        List<HashedRecord> items =
            records.stream().map(record -> HashedRecord.of(record, options)).toList();
        ComparisonResult now = compare(List.of(), new FollowUp.None(), false);
        commit(
            items.stream()
                .map(hashedRecord ->
                    new ReduceToken(
                        hashedRecord.keyHash(),
                        hashedRecord.valueHash(),
                        now.generation(),
                        now.sourceSeq(),
                        hashedRecord.keyText()))
                .toList(),
            List.of());
        yield document;
      }
      case COMMIT_WITH_TOKENS -> {
        commit(tokens(source, records), List.of());
        yield document;
      }
    };
  }

  private List<ReduceToken> tokens(ReduceSource source, List<RecordDocument.ParsedRecord> records) {
    List<ReduceToken> tokens = new ArrayList<>();
    for (RecordDocument.ParsedRecord record : records) {
      ReduceToken token = record.token();
      if (token == null) {
        throw new InvalidRequestException(
            "Record "
                + tokens.size()
                + " at '"
                + source.path()
                + "' has no tokens; expected "
                + RecordDocument.KEY_TOKEN
                + " and "
                + RecordDocument.VALUE_TOKEN
                + ", as REDUCE_WITH_TOKENS adds them.");
      }
      tokens.add(
          options.isFull()
              ? new ReduceToken(
                  token.keyHash(),
                  token.valueHash(),
                  token.generation(),
                  token.sourceSeq(),
                  record.key())
              : token);
    }
    return tokens;
  }

  private static String passedOn(
      RecordDocument read, List<Integer> all, Reduction<Integer> reduction, boolean withTokens) {
    Set<Integer> due = new HashSet<>();
    reduction.changed().forEach(one -> due.add(one.value()));
    return read.without(
        all.stream().filter(place -> !due.contains(place)).toList(),
        withTokens ? reduction.changed().stream().map(ReducedRecord::token).toList() : List.of());
  }

  @Override
  public int reset() {
    return context.caller.call(() -> context.store.reset(group));
  }

  @Override
  public int forget(List<String> keys) {
    List<String> hashes = keys.stream().map(options::hash).toList();
    return context.caller.call(() -> context.store.forget(group, hashes));
  }

  private void commit(List<ReduceToken> tokens, List<String> forgotten) {
    Commit commit = new Commit(group, tokens, forgotten, context.executionId);
    Consumer<Commit> later = context.later;
    if (later != null) {
      later.accept(commit);
      return;
    }
    boolean done = context.caller.call(() -> context.store.commit(commit, context.caller.fence()));
    if (!done) {
      throw context.caller.fencedException("Group '" + group + "'");
    }
  }

  private final class Ending implements ReducedRecord.Completion {
    @Override
    public void commit(List<ReduceToken> tokens) {
      ReduceService.this.commit(tokens, List.of());
    }

    @Override
    public void release(ReduceToken token) {
      if (options.lease() == null) {
        return;
      }
      context.caller.call(
          () -> context.store.release(group, context.owner, List.of(token.keyHash())));
    }

    @Override
    public void forget(String keyHash) {
      ReduceService.this.commit(List.of(), List.of(keyHash));
    }
  }
}
