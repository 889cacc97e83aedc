package io.millrace.dispatch;

import io.millrace.codec.CodecException;
import io.millrace.codec.TypeRef;
import io.millrace.data.KeyContent;
import io.millrace.data.KeyId;
import io.millrace.data.KeyQuery;
import io.millrace.data.KeyValue;
import io.millrace.data.KeyValues;
import io.millrace.data.PeriodLedger;
import io.millrace.data.Reduce;
import io.millrace.data.ReduceToken;
import io.millrace.definition.CancelledException;
import io.millrace.instance.Origin;
import io.millrace.instance.Page;
import io.millrace.store.AttachedWrite;
import io.millrace.store.Fence;
import io.millrace.store.KeyValueService;
import io.millrace.store.KeyValueStore;
import io.millrace.store.KeyValueStore.Put;
import io.millrace.store.PeriodLedgerService;
import io.millrace.store.PeriodLedgerStore;
import io.millrace.store.ReduceService;
import io.millrace.store.ReduceStore;
import io.millrace.store.ReduceStore.Commit;
import io.millrace.store.StoreCaller;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The access of one attempt to key-values, periods and checkpoints, under its fence. */
final class AttemptDataAccess implements StoreCaller {

  /** Prefix of the groups of keys in which checkpoints are stored. */
  private static final String CHECKPOINTS = "checkpoint:";

  private static final String NONE = "null";

  /**
   * Key that names the instance which restarted a chain of checkpoints; never the name of a
   * checkpoint.
   */
  private static final String BEGUN_BY = " begun by";

  private final EngineContext engine;
  private final StoreCallQueue storeCalls;
  private final Fence fence;
  private final DefaultCancelToken token;
  private final String chain;
  private final Map<String, String> checkpoints = new TreeMap<>();
  private final Map<String, Pending> commits = new TreeMap<>();
  private boolean ignoresCheckpoints;
  private int writes;

  /**
   * @param ignoresCheckpoints true if checkpoints of earlier instances do not count
   */
  AttemptDataAccess(
      EngineContext engine,
      StoreCallQueue storeCalls,
      Fence fence,
      DefaultCancelToken token,
      Origin origin,
      boolean ignoresCheckpoints) {
    this.engine = engine;
    this.storeCalls = storeCalls;
    this.fence = fence;
    this.token = token;
    this.ignoresCheckpoints = ignoresCheckpoints;
    String key = origin.businessKey();
    this.chain = CHECKPOINTS + origin.type() + (key == null ? "#" + fence.instanceId() : ":" + key);
  }

  KeyValues keyValues() {
    return new KeyValueService(engine.store().role(KeyValueStore.class), this);
  }

  PeriodLedger periodLedger() {
    return new PeriodLedgerService(
        engine.store().role(PeriodLedgerStore.class), this, engine.clock(), fence.instanceId());
  }

  Reduce reduce(String group) {
    return new ReduceService(
        new ReduceService.Context(
            engine.store().role(ReduceStore.class),
            this,
            engine.codec()::encode,
            this::attach,
            "instance " + fence.instanceId(),
            fence.instanceId()),
        group);
  }

  /** Adds a commit to the transition. Handlers may commit record by record. */
  private void attach(Commit commit) {
    Pending pending = commits.computeIfAbsent(commit.group(), group -> new Pending());
    pending.tokens.addAll(commit.tokens());
    pending.forgotten.addAll(commit.forgotten());
  }

  private static final class Pending {
    private final List<ReduceToken> tokens = new ArrayList<>();
    private final List<String> forgotten = new ArrayList<>();
  }

  void checkpoint(String name, @Nullable Object value) {
    NameRules.check("checkpoint", name);
    String json =
        value == null
            ? NONE
            : CodecException.naming(
                "Checkpoint '" + name + "'", () -> engine.codec().encode(value));
    forgetEarlier();
    checkpoints.put(name, KeyContent.of(json).value());
  }

  <T> Optional<T> lastCheckpoint(String name, TypeRef<T> type) {
    NameRules.check("checkpoint", name);
    forgetEarlier();
    String set = checkpoints.get(name);
    String json =
        set != null ? set : keyValues().get(chain, name).map(KeyValue::value).orElse(NONE);
    return json.equals(NONE)
        ? Optional.empty()
        : Optional.of(
            CodecException.naming(
                "Checkpoint '" + name + "'", () -> engine.codec().decode(json, type)));
  }

  /** Deletes earlier checkpoints once per instance, unless a later instance restarted the chain. */
  private void forgetEarlier() {
    if (!ignoresCheckpoints) {
      return;
    }
    KeyValues values = keyValues();
    long begunBy = values.get(chain, BEGUN_BY).map(one -> Long.parseLong(one.value())).orElse(0L);
    if (begunBy < fence.instanceId()) {
      Page<KeyValue> page = values.list(KeyQuery.of(chain));
      while (!page.items().isEmpty()) {
        page.items().forEach(one -> values.delete(chain, one.id().key()));
        page = values.list(KeyQuery.of(chain));
      }
      values.set(chain, BEGUN_BY, String.valueOf(fence.instanceId()));
    }
    ignoresCheckpoints = false;
  }

  /** Returns the writes that the transition carries. */
  List<AttachedWrite> attached() {
    if (checkpoints.isEmpty() && commits.isEmpty()) {
      return List.of();
    }
    List<AttachedWrite> attached = new ArrayList<>();
    checkpoints.forEach(
        (name, json) -> attached.add(Put.set(new KeyId(chain, name), KeyContent.of(json))));
    commits.forEach((group, pending) ->
        attached.add(new Commit(group, pending.tokens, pending.forgotten, fence.instanceId())));
    return attached;
  }

  @Override
  public <T> T call(Supplier<T> request) {
    return storeCalls.run(request, token);
  }

  @Override
  public Fence fence() {
    return fence;
  }

  /** Returns an id that is unique to this attempt, like its fence. */
  @Override
  public String nextWriteId() {
    return fence.instanceId()
        + "-"
        + fence.executorId()
        + "-"
        + fence.leaseVersion()
        + "-"
        + fence.seq()
        + "-"
        + ++writes;
  }

  @Override
  public RuntimeException fencedException(String what) {
    return new CancelledException(
        what
            + " was not written: the lease of instance "
            + fence.instanceId()
            + " was lost to another executor.");
  }
}
