package io.millrace.store;

import io.millrace.data.ChangeType;
import io.millrace.data.Reduce;
import io.millrace.data.ReduceAction;
import io.millrace.data.ReduceGroup;
import io.millrace.data.ReduceOptions;
import io.millrace.data.ReduceOptions.Keeping;
import io.millrace.data.ReduceRecords;
import io.millrace.data.ReduceSource;
import io.millrace.data.ReduceToken;
import io.millrace.data.Reduced;
import io.millrace.data.Reduction;
import io.millrace.instance.InvalidRequestException;
import io.millrace.store.ReduceStore.Commit;
import io.millrace.store.ReduceStore.Compared;
import io.millrace.store.ReduceStore.Comparison;
import io.millrace.store.ReduceStore.Item;
import io.millrace.store.ReduceStore.Missing;
import io.millrace.store.ReduceStore.Then;
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

/** Reduced records of a store on somebody's behalf. */
public final class ReduceBook implements Reduce {

  /**
   * On whose behalf.
   *
   * @param json writes a record
   * @param later takes what is committed with a transition; null to commit at once
   * @param owner of reservations
   * @param executionId the instance that commits; null for none
   */
  public record Desk(
      ReduceStore store,
      Caller caller,
      Function<Object, String> json,
      @Nullable Consumer<Commit> later,
      String owner,
      @Nullable Long executionId) {}

  private final Desk desk;
  private final String group;
  private final ReduceOptions options;

  /**
   * @throws InvalidRequestException when the group's name cannot be one
   */
  public ReduceBook(Desk desk, String group) {
    this(desk, ReduceGroup.checked(group), ReduceOptions.DEFAULT);
  }

  private ReduceBook(Desk desk, String group, ReduceOptions options) {
    this.desk = desk;
    this.group = group;
    this.options = options;
  }

  private Reduce with(ReduceOptions changed) {
    return new ReduceBook(desk, group, changed);
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
    Keeping old = options.keeping();
    return with(options.keeping(new Keeping(lease, old.retention(), old.maxEntries())));
  }

  @Override
  public Reduce retention(Duration time) {
    Keeping old = options.keeping();
    return with(options.keeping(new Keeping(old.lease(), time, old.maxEntries())));
  }

  @Override
  public Reduce maxEntries(long most) {
    Keeping old = options.keeping();
    return with(options.keeping(new Keeping(old.lease(), old.retention(), most)));
  }

  @Override
  public Reduce full(int maxDeletePercent) {
    return with(options.full(maxDeletePercent));
  }

  @Override
  public <T> Reduction<T> reduce(List<T> records) {
    Function<String, ReduceRecords.Found> reader = ReduceRecords.json(options);
    List<ReduceRecords.Found> read =
        records.stream()
            .map(record ->
                reader.apply(desk.json.apply(InvalidRequestException.given(record, "A record"))))
            .toList();
    return compared(records, read, then());
  }

  private Then then() {
    Duration lease = options.lease();
    return lease == null ? new Then.Nothing() : new Then.Reserve(desk.owner, lease);
  }

  private <T> Reduction<T> compared(List<T> values, List<ReduceRecords.Found> records, Then then) {
    List<Reduction.Fault> faults = new ArrayList<>();
    Map<String, Place> lastOfKeys = new LinkedHashMap<>();
    for (int i = 0; i < records.size(); i++) {
      ReduceRecords.Found record = records.get(i);
      if (record.fault() != null) {
        faults.add(new Reduction.Fault(i, "Record " + i + " " + record.fault() + "."));
      } else {
        Item item = Item.of(record, options);
        lastOfKeys.remove(item.keyHash()); // so that the order is that of the last ones
        lastOfKeys.put(item.keyHash(), new Place(i, item));
      }
    }
    List<Place> places = List.copyOf(lastOfKeys.values());
    List<Item> items = places.stream().map(Place::item).toList();
    Compared compared = compare(items, then, options.isFull());
    refuseBadDeletions(compared, items);
    Reduced.Ending ending = new Ending();
    List<Reduced<T>> due = new ArrayList<>();
    int reserved = 0;
    for (int i = 0; i < items.size(); i++) {
      ChangeType change = compared.changes().get(i);
      reserved += change == ChangeType.RESERVED ? 1 : 0;
      if (change.isDue()) {
        Item item = items.get(i);
        due.add(
            new Reduced<>(
                values.get(places.get(i).index()),
                change,
                new ReduceToken(
                    item.keyHash(),
                    item.valueHash(),
                    compared.generation(),
                    compared.sourceSeq(),
                    item.keyText()),
                idempotencyKey(item, compared, i),
                ending));
      }
    }
    int unchanged = records.size() - faults.size() - due.size() - reserved;
    return new Reduction<>(due, unchanged, reserved, deleted(compared, ending), faults);
  }

  /** A record of a request, by its index there. */
  private record Place(int index, Item item) {}

  private Compared compare(List<Item> items, Then then, boolean full) {
    Keeping keeping = options.keeping();
    if (keeping.isLimited()) {
      desk.caller.call(() -> desk.store.trim(group, keeping.retention(), keeping.maxEntries()));
    }
    Comparison comparison = new Comparison(group, items, then, full);
    return desk.caller
        .call(() -> desk.store.compare(comparison, desk.caller.fence()))
        .orElseThrow(() -> desk.caller.fenced("Group '" + group + "'"));
  }

  /** A receiver that remembers keys must not take a content that returns for a repetition. */
  private String idempotencyKey(Item item, Compared compared, int index) {
    return ReduceOptions.DEFAULT.hash(
        String.join(
            "|",
            group,
            item.keyHash(),
            item.valueHash(),
            "" + compared.generation(),
            compared.bases().get(index)));
  }

  private void refuseBadDeletions(Compared compared, List<Item> items) {
    if (!options.isFull()) {
      return;
    }
    long missing = compared.missing().size();
    long unnamed = compared.missing().stream().filter(one -> one.keyText() == null).count();
    if (missing * 100 > options.maxDeletePercent() * compared.stored()) {
      throw refused(
          items,
          "Of the "
              + compared.stored()
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
              + "' whose keys are not known, because they were committed without full(...). Nothing"
              + " was passed on. Reset the group, which passes all records on again, and commit with"
              + " full(...) from then on.");
    }
  }

  /** Nothing is passed on, so nothing stays reserved either. */
  private InvalidRequestException refused(List<Item> items, String message) {
    if (options.lease() != null) {
      List<String> keys = items.stream().map(Item::keyHash).toList();
      desk.caller.call(() -> desk.store.release(group, desk.owner, keys));
    }
    return new InvalidRequestException(message);
  }

  private static List<Reduction.Deleted> deleted(Compared compared, Reduced.Ending ending) {
    List<Reduction.Deleted> deleted = new ArrayList<>();
    for (Missing missing : compared.missing()) {
      String key = missing.keyText() == null ? missing.keyHash() : missing.keyText();
      deleted.add(new Reduction.Deleted(key, missing.keyHash(), ending));
    }
    return deleted;
  }

  @Override
  public String document(ReduceAction action, ReduceSource source, String document) {
    ReduceRecords read = ReduceRecords.of(source, options, document);
    List<ReduceRecords.Found> records = read.all();
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
        boolean atOnce = desk.later == null;
        Reduction<Integer> reduction =
            compared(all, records, atOnce ? new Then.Settle(desk.executionId) : new Then.Nothing());
        if (!atOnce) {
          commit(reduction.due().stream().map(Reduced::token).toList(), List.of());
        }
        yield passedOn(read, all, reduction, false);
      }
      case COMMIT -> {
        List<Item> items = records.stream().map(record -> Item.of(record, options)).toList();
        Compared now = compare(List.of(), new Then.Nothing(), false);
        commit(
            items.stream()
                .map(item ->
                    new ReduceToken(
                        item.keyHash(),
                        item.valueHash(),
                        now.generation(),
                        now.sourceSeq(),
                        item.keyText()))
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

  private List<ReduceToken> tokens(ReduceSource source, List<ReduceRecords.Found> records) {
    List<ReduceToken> tokens = new ArrayList<>();
    for (ReduceRecords.Found record : records) {
      ReduceToken token = record.token();
      if (token == null) {
        throw new InvalidRequestException(
            "Record "
                + tokens.size()
                + " at '"
                + source.path()
                + "' has no tokens; expected "
                + ReduceRecords.KEY_TOKEN
                + " and "
                + ReduceRecords.VALUE_TOKEN
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
      ReduceRecords read, List<Integer> all, Reduction<Integer> reduction, boolean withTokens) {
    Set<Integer> due = new HashSet<>();
    reduction.due().forEach(one -> due.add(one.value()));
    return read.without(
        all.stream().filter(place -> !due.contains(place)).toList(),
        withTokens ? reduction.due().stream().map(Reduced::token).toList() : List.of());
  }

  @Override
  public int reset() {
    return desk.caller.call(() -> desk.store.reset(group));
  }

  @Override
  public int forget(List<String> keys) {
    List<String> hashes = keys.stream().map(options::hash).toList();
    return desk.caller.call(() -> desk.store.forget(group, hashes));
  }

  private void commit(List<ReduceToken> tokens, List<String> forgotten) {
    Commit commit = new Commit(group, tokens, forgotten, desk.executionId);
    Consumer<Commit> later = desk.later;
    if (later != null) {
      later.accept(commit);
      return;
    }
    boolean done = desk.caller.call(() -> desk.store.commit(commit, desk.caller.fence()));
    if (!done) {
      throw desk.caller.fenced("Group '" + group + "'");
    }
  }

  private final class Ending implements Reduced.Ending {
    @Override
    public void commit(List<ReduceToken> tokens) {
      ReduceBook.this.commit(tokens, List.of());
    }

    @Override
    public void release(ReduceToken token) {
      if (options.lease() == null) {
        return;
      }
      desk.caller.call(() -> desk.store.release(group, desk.owner, List.of(token.keyHash())));
    }

    @Override
    public void forget(String keyHash) {
      ReduceBook.this.commit(List.of(), List.of(keyHash));
    }
  }
}
