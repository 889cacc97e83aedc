package io.millrace.tests.store;

import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InboxMessage;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.Origin;
import io.millrace.instance.Page;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ClaimRequest;
import io.millrace.store.ClaimResult;
import io.millrace.store.Fence;
import io.millrace.store.InstanceStore.ProgressUpdate;
import io.millrace.store.InstanceStore.StepRecord;
import io.millrace.store.NewInstance;
import io.millrace.store.OperatorStore.SignalRequest;
import io.millrace.store.SaveRequest;
import io.millrace.store.StartResult;
import io.millrace.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * An interpreter that executes {@link ModelOp}s on one store, and returns the results in the same
 * terms.
 */
final class ModelStore {

  static final Duration TTL = Duration.ofSeconds(20);
  static final List<String> DEFINITIONS = List.of("d0", "d1");

  private static final int ALL = 1_000;

  private final Store store;
  private final String prefix;
  private final ModelIds numbers = new ModelIds();
  private final List<Integer> definitions = new ArrayList<>();

  /**
   * @param prefix prefix of all names, so that runs on the same store do not meet
   */
  ModelStore(Store store, String prefix) {
    this.store = store;
    this.prefix = prefix;
    DEFINITIONS.forEach(
        name -> definitions.add(store.definitions().save(prefix + name, 1, "h", "{}").id()));
  }

  int instances() {
    return numbers.instances();
  }

  int executors() {
    return numbers.executors();
  }

  /** Returns an instance; null if retention has removed it. */
  WorkflowInstance read(int instance) {
    return store.queries().find(numbers.instanceId(instance)).map(numbers::normal).orElse(null);
  }

  Map<String, String> variables(int instance) {
    return store.queries().variables(numbers.instanceId(instance));
  }

  Object apply(ModelOp op) {
    return switch (op) {
      case ModelOp.Start start -> start(start.instances());
      case ModelOp.Claim claim -> claim(claim);
      case ModelOp.SaveAll saveAll -> save(saveAll.transitions());
      case ModelOp.Step step ->
          store
              .instances()
              .recordStep(
                  new StepRecord(
                      fence(step.fence()), step.enteredSeq(), step.name(), step.result()));
      case ModelOp.ReportProgress reportProgress -> {
        store
            .instances()
            .progress(
                reportProgress.fences().stream()
                    .map(f -> new ProgressUpdate(fence(f), reportProgress.progress()))
                    .toList());
        yield "reported";
      }
      case ModelOp.Release release ->
          store.instances().release(release.fences().stream().map(this::fence).toList());
      case ModelOp.Send send ->
          store
              .operators()
              .signal(
                  new SignalRequest(
                      numbers.instanceId(send.instance()),
                      send.name(),
                      send.payload(),
                      "bob",
                      send.key()));
      case ModelOp.ApplyAction action ->
          numbers.normal(
              store
                  .operators()
                  .apply(
                      numbers.instanceId(action.instance()),
                      action.command(),
                      new OperatorAction("alice", action.reason())));
      case ModelOp.Register register -> register(register.group());
      case ModelOp.Renew renew ->
          store
              .executors()
              .renew(numbers.executorId(renew.executor()), TTL, ExecutorInfo.Load.NONE);
      case ModelOp.Stop stop -> {
        store.executors().markStopped(numbers.executorId(stop.executor()));
        yield "stopped";
      }
      case ModelOp.Recover recover -> recover(recover);
      case ModelOp.Expired expired ->
          Stream.concat(
                  store.executors().expired(group(expired.group())).stream(),
                  store.executors().recoveredOwners(group(expired.group())).stream())
              .map(numbers::executor)
              .sorted()
              .toList();
      case ModelOp.Owned owned -> {
        Map<Integer, Integer> versions = new TreeMap<>();
        store
            .executors()
            .ownedInstances(numbers.executorId(owned.executor()))
            .forEach((id, v) -> versions.put(numbers.instance(id), v));
        yield versions;
      }
      case ModelOp.ApplyRetention applyRetention ->
          applyRetention.archive()
              ? store.retention().archive(applyRetention.age(), ALL)
              : store.retention().delete(applyRetention.age(), ALL);
      case ModelOp.AdvanceClock advanceClock -> store.queries().now();
    };
  }

  private String group(int number) {
    return prefix + "g" + number;
  }

  private int register(int group) {
    long id =
        store
            .executors()
            .register(new ExecutorInfo.Identity("host", 1, group(group), definitions, "1.0"), TTL);
    return numbers.executor(id);
  }

  private List<String> start(List<ModelOp.New> specs) {
    List<StartResult> results =
        store.instances().start(specs.stream().map(s -> newInstance(s, null)).toList());
    return results.stream()
        .map(r ->
            switch (r) {
              case StartResult.Created c -> "created " + numbers.instance(c.id()) + " at " + c.at();
              case StartResult.Existing e ->
                  "existing " + numbers.instance(e.id()) + " same " + e.samePayload();
            })
        .toList();
  }

  private NewInstance newInstance(ModelOp.New spec, Long parentId) {
    Origin origin =
        new Origin(
            prefix + DEFINITIONS.get(spec.definition()),
            1,
            group(spec.group()),
            spec.priority(),
            null,
            spec.externalId(),
            parentId);
    Long heldBy = spec.heldBy() == null ? null : numbers.executorId(spec.heldBy());
    return new NewInstance(
        origin,
        definitions.get(spec.definition()),
        "s0",
        spec.input(),
        spec.variables(),
        spec.due(),
        heldBy);
  }

  private Object claim(ModelOp.Claim claim) {
    List<Integer> ids = claim.definitions().stream().map(definitions::get).toList();
    ClaimResult result =
        store
            .instances()
            .claim(
                new ClaimRequest(
                    numbers.executorId(claim.executor()),
                    group(claim.group()),
                    ids,
                    claim.limit()));
    List<Object> claimed = new ArrayList<>();
    for (ClaimResult.Claimed c : result.claimed()) {
      ClaimResult.ClaimedData p = c.data();
      claimed.add(numbers.normal(c.instance()));
      claimed.add(
          List.of(
              "input " + p.input(),
              new TreeMap<>(p.variables()),
              p.inboxMessages().stream().map(numbers::normal).toList(),
              new TreeMap<>(p.steps())));
    }
    // The time of the next look is only as precise as a store knows; ClaimContractTest checks its
    // precision.
    return List.of(claimed, "now " + result.now());
  }

  private Object save(List<ModelOp.Transition> transitions) {
    Object results = store.instances().save(transitions.stream().map(this::save).toList());
    transitions.stream()
        .flatMap(t -> t.children().stream())
        .forEach(child ->
            store
                .queries()
                .findByExternalId(
                    prefix + DEFINITIONS.get(child.definition()),
                    group(child.group()),
                    child.externalId())
                .ifPresent(c -> numbers.instance(c.id())));
    return results;
  }

  private SaveRequest save(ModelOp.Transition t) {
    long id = numbers.instanceId(t.fence().instance());
    ModelOp.Target target = t.goal();
    List<Long> consumed =
        store.instances().unconsumedMessages(id).stream()
            .map(InboxMessage::id)
            .limit(t.consumed())
            .toList();
    return new SaveRequest(
        fence(t.fence()),
        new SaveRequest.Entry(
            target.newVisit()
                ? HistoryEntryType.STATE_EXECUTION
                : HistoryEntryType.STATE_EXECUTION_FAILED,
            t.from(),
            "went to " + target.state(),
            target.newVisit() ? null : "trace",
            1,
            Duration.ofMillis(3),
            null),
        new SaveRequest.Target(
            target.state(),
            target.status(),
            target.due(),
            target.waitingFor(),
            target.newVisit(),
            target.keepLease(),
            target.attempt()),
        new SaveRequest.Changes(
            t.variables(),
            t.variableCount(),
            t.children().stream().map(child -> newInstance(child, id)).toList(),
            consumed,
            t.progress(),
            t.parent() == null ? null : numbers.instanceId(t.parent()),
            null));
  }

  private Fence fence(ModelOp.Fence fence) {
    return new Fence(
        numbers.instanceId(fence.instance()),
        numbers.executorId(fence.executor()),
        fence.leaseVersion(),
        fence.seq());
  }

  private Object recover(ModelOp.Recover recover) {
    Map<Integer, Boolean> all = new TreeMap<>();
    int taken;
    do {
      taken = 0;
      for (var r :
          store
              .executors()
              .recover(
                  numbers.executorId(recover.dead()),
                  numbers.executorId(recover.by()),
                  recover.limit(),
                  recover.maxRecoveries())) {
        all.put(numbers.instance(r.instanceId()), r.parked());
        taken++;
      }
    } while (taken == recover.limit());
    return all;
  }

  /** Returns the whole content of the store, by instance and by executor. */
  Map<String, Object> tables() {
    Map<String, Object> tables = new LinkedHashMap<>();
    for (int i = 0; i < numbers.instances(); i++) {
      long id = numbers.instanceId(i);
      tables.put("instance " + i, store.queries().find(id).map(numbers::normal).orElse(null));
      tables.put("input " + i, store.queries().input(id));
      tables.put("variables " + i, new TreeMap<>(store.queries().variables(id)));
      tables.put(
          "history " + i,
          store.queries().history(id, 0, ALL).stream().map(numbers::normal).toList());
      tables.put(
          "signals " + i,
          store.queries().inboxMessages(id, ALL).stream().map(numbers::normal).toList());
    }
    for (int g = 0; g < 2; g++) {
      tables.put(
          "executors " + g,
          store.executors().list(group(g)).stream().map(numbers::normal).toList());
    }
    DEFINITIONS.forEach(name -> tables.put("search " + name, search(prefix + name)));
    return tables;
  }

  private List<Integer> search(String type) {
    List<Integer> found = new ArrayList<>();
    InstanceQuery query = InstanceQuery.all().type(type).limit(20);
    Page<WorkflowInstance> page;
    do {
      page = store.queries().search(query, null);
      page.items().forEach(i -> found.add(numbers.instance(i.id())));
      query = query.after(page.next());
    } while (page.next() != null);
    return found;
  }
}
