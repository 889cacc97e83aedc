package io.millrace.tests.store;

import io.millrace.fixtures.store.SaveSpec;
import io.millrace.fixtures.store.StartSpec;
import io.millrace.instance.Due;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.Position;
import io.millrace.instance.Progress;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ClaimRequest;
import io.millrace.store.Fence;
import io.millrace.store.InstanceStore.ProgressUpdate;
import io.millrace.store.InstanceStore.StepRecord;
import io.millrace.store.NewInstance;
import io.millrace.store.OperatorCommand;
import io.millrace.store.OperatorStore.SignalRequest;
import io.millrace.store.SaveRequest;
import io.millrace.store.SaveResult;
import io.millrace.store.Store;
import io.millrace.testing.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

/** Random calls of all operations of the store on a handful of instances. Thread-safe. */
final class RandomStoreOperations {

  private static final Duration TTL = Duration.ofSeconds(10);
  private static final String GROUP = "group";
  private static final String TYPE = "type";
  private static final int EXECUTORS = 6;
  private static final int NAMES = 8;
  private static final OperatorAction ACTION = OperatorAction.by("alice", "because");

  /** An operation that a thread may run next. */
  interface Operation {
    void run(Random random);
  }

  private final Store store;
  private final int definition;
  private final List<Long> executors;
  private final Queue<WorkflowInstance> held = new ConcurrentLinkedQueue<>();
  private final Map<String, Operation> operations = new TreeMap<>();

  RandomStoreOperations(Store store, SettableClock clock) {
    this.store = store;
    this.definition = store.definitions().save(TYPE, 1, "hash", "{}").id();
    this.executors = IntStream.range(0, EXECUTORS).mapToObj(i -> register()).toList();
    operations.put("start", this::start);
    operations.put("claim", this::claim);
    operations.put("save", this::save);
    operations.put("save again", this::save);
    operations.put("record step", this::recordStep);
    operations.put("progress", this::progress);
    operations.put("release", this::release);
    operations.put("renew", this::renew);
    operations.put("recover", this::recover);
    operations.put("action", this::action);
    operations.put("action again", this::action);
    operations.put("signal", this::signal);
    operations.put("retention", this::retention);
    operations.put("time passes", random -> clock.advance(Duration.ofMillis(random.nextInt(300))));
  }

  Map<String, Operation> operations() {
    return operations;
  }

  private long register() {
    return store
        .executors()
        .register(new ExecutorInfo.Identity("host", 1, GROUP, List.of(definition), "1.0"), TTL);
  }

  private static <T> T one(List<T> all, Random random) {
    return all.get(random.nextInt(all.size()));
  }

  /** Returns names in a random order, so that two callers rarely use the same order. */
  private static List<String> names(Random random, int count) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < NAMES; i++) {
      names.add("e" + i);
    }
    Collections.shuffle(names, random);
    return names.subList(0, count);
  }

  private StartSpec named(String name) {
    return new StartSpec(TYPE, GROUP, definition).externalId(name).variable("v", "1");
  }

  private void start(Random random) {
    List<NewInstance> instances =
        names(random, 1 + random.nextInt(3)).stream().map(name -> named(name).build()).toList();
    store.instances().start(instances);
  }

  private void claim(Random random) {
    store
        .instances()
        .claim(
            new ClaimRequest(
                one(executors, random), GROUP, List.of(definition), 1 + random.nextInt(4)))
        .claimed()
        .forEach(claimed -> held.add(claimed.instance()));
  }

  private void save(Random random) {
    List<WorkflowInstance> batch = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      WorkflowInstance next = held.poll();
      if (next != null) {
        batch.add(next);
      }
    }
    Collections.shuffle(batch, random);
    List<SaveRequest> saves = batch.stream().map(instance -> save(instance, random)).toList();
    List<SaveResult> results = store.instances().save(saves);
    for (int i = 0; i < results.size(); i++) {
      if (results.get(i) instanceof SaveResult.Saved saved && saved.held()) {
        store.queries().find(batch.get(i).id()).filter(this::isHeld).ifPresent(held::add);
      }
    }
  }

  private boolean isHeld(WorkflowInstance instance) {
    return instance.lease().executorId() != null;
  }

  private SaveRequest save(WorkflowInstance instance, Random random) {
    SaveSpec save = new SaveSpec(instance);
    Map<String, String> variables = new HashMap<>(store.queries().variables(instance.id()));
    save.set("v", Integer.toString(random.nextInt()));
    variables.put("v", "");
    save.variableCount(variables.size());
    if (random.nextBoolean()) {
      save.consume(store.instances().unconsumedMessages(instance.id()));
    }
    switch (random.nextInt(7)) {
      case 0 -> save.keepLease();
      case 1 -> save.retry(Duration.ofMillis(random.nextInt(100)));
      case 2 -> save.waitFor(Position.signal("paid"), new Due.After(Duration.ofMillis(200)));
      case 3, 4 -> {
        if (instance.origin().parentId() == null) {
          names(random, random.nextInt(3)).forEach(name -> save.child(named(name)));
          save.child(new StartSpec(TYPE, GROUP, definition));
          save.waitFor(Position.CHILDREN, new Due.Never());
        } else {
          save.end(InstanceStatus.FAILED);
        }
      }
      case 5 -> save.end(InstanceStatus.FAILED);
      default -> save.end(InstanceStatus.FINISHED);
    }
    return save.build();
  }

  private void recordStep(Random random) {
    WorkflowInstance instance = held.peek();
    if (instance != null) {
      store
          .instances()
          .recordStep(
              new StepRecord(
                  SaveSpec.fenceOf(instance),
                  instance.position().enteredSeq(),
                  "step" + random.nextInt(3),
                  "1"));
    }
  }

  private void progress(Random random) {
    List<ProgressUpdate> updates =
        held.stream()
            .map(instance ->
                new ProgressUpdate(
                    SaveSpec.fenceOf(instance), new Progress(random.nextInt(9), 9, null)))
            .toList();
    store.instances().progress(updates);
  }

  /** Releases owned instances that the executor does not know, as a heartbeat does. */
  private void release(Random random) {
    long executor = one(executors, random);
    List<Fence> owned =
        store.executors().ownedInstances(executor).entrySet().stream()
            .filter(row -> random.nextBoolean())
            .map(row -> new Fence(row.getKey(), executor, row.getValue(), 0))
            .toList();
    store.instances().release(owned);
  }

  private void renew(Random random) {
    store.executors().renew(one(executors, random), TTL, ExecutorInfo.Load.NONE);
  }

  private void recover(Random random) {
    long heir = one(executors, random);
    for (long dead : store.executors().expired(GROUP)) {
      store.executors().recover(dead, heir, 1 + random.nextInt(4), 1000);
    }
  }

  private List<WorkflowInstance> some() {
    return store.queries().search(InstanceQuery.all().limit(12), null).items();
  }

  private void action(Random random) {
    List<WorkflowInstance> all = some();
    if (!all.isEmpty()) {
      store.operators().apply(one(all, random).id(), command(random), ACTION);
    }
  }

  private static OperatorCommand command(Random random) {
    return switch (random.nextInt(7)) {
      case 0 -> new OperatorCommand.Cancel();
      case 1 -> new OperatorCommand.Pause();
      case 2 -> new OperatorCommand.Resume();
      case 3 -> new OperatorCommand.Retry();
      case 4 -> new OperatorCommand.Wake();
      case 5 -> new OperatorCommand.Move("moved", InstanceStatus.IN_PROGRESS, Due.NOW, null, null);
      default -> new OperatorCommand.EditVariables(Map.of("w", Integer.toString(random.nextInt())));
    };
  }

  private void signal(Random random) {
    List<WorkflowInstance> all = some();
    if (!all.isEmpty()) {
      store
          .operators()
          .signal(
              new SignalRequest(
                  one(all, random).id(),
                  "paid",
                  null,
                  null,
                  random.nextBoolean() ? null : "key" + random.nextInt(20)));
    }
  }

  private void retention(Random random) {
    int limit = 1 + random.nextInt(5);
    switch (random.nextInt(3)) {
      case 0 -> store.retention().archive(Duration.ZERO, limit);
      case 1 -> store.retention().delete(Duration.ZERO, limit);
      default -> store.retention().deleteArchived(Duration.ZERO, limit);
    }
  }
}
