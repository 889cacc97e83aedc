package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.Due;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.InboxMessage;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.Position;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ClaimRequest;
import io.millrace.store.ClaimResult;
import io.millrace.store.Fence;
import io.millrace.store.OperatorCommand;
import io.millrace.store.OperatorStore.CommandResult;
import io.millrace.store.OperatorStore.SignalRequest;
import io.millrace.store.OperatorStore.SignalResult;
import io.millrace.store.SaveRequest;
import io.millrace.store.SaveResult;
import io.millrace.store.StartResult;
import io.millrace.store.Store;
import io.millrace.testing.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The base class of the contract tests that every store must pass; a subclass tests one role. A
 * class runs once on each store, and its tests share that store: each has an executor group and a
 * workflow type of its own.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("io.millrace.tests.store.StoreFixture#all")
abstract class StoreContract {

  static final Duration TTL = Duration.ofSeconds(10);
  static final Duration SECOND = Duration.ofSeconds(1);
  static final Duration HOUR = Duration.ofHours(1);
  static final Due NEVER = new Due.Never();
  static final Due SOON = new Due.After(Duration.ofMinutes(1));
  static final OperatorAction BY_ALICE = OperatorAction.by("alice", "because");
  static final String PAID = Position.signal("paid");

  private static final AtomicInteger TESTS = new AtomicInteger();

  final StoreFixture subject;
  final SettableClock clock;

  Store store;

  /** Executor group of the current test. */
  String group;

  /** Workflow type of the current test. */
  String type;

  /** Stored definition of {@link #type}. */
  int definition;

  /** Executor of {@link #group}. */
  long executor;

  StoreContract(StoreFixture subject) {
    this.subject = subject;
    this.clock = subject.clock();
  }

  @BeforeEach
  void begin() {
    store = subject.store();
    int test = TESTS.incrementAndGet();
    group = "group" + test;
    type = "type" + test;
    definition = store.definitions().save(type, 1, "hash", "{}").id();
    executor = register();
  }

  long register() {
    return register(group);
  }

  long register(String executorGroup) {
    return store
        .executors()
        .register(
            new ExecutorInfo.Identity(
                "host", ProcessHandle.current().pid(), executorGroup, List.of(definition), "1.0"),
            TTL);
  }

  Instant now() {
    return clock.instant();
  }

  void advance(Duration time) {
    clock.advance(time);
  }

  StartSpec instance() {
    return new StartSpec(type, group, definition);
  }

  /** Starts an instance and returns its id. */
  long start(StartSpec spec) {
    List<StartResult> results = store.instances().start(List.of(spec.build()));
    assertThat(results).singleElement().isInstanceOf(StartResult.Created.class);
    return results.getFirst().id();
  }

  List<Long> start(int count) {
    return store
        .instances()
        .start(IntStream.range(0, count).mapToObj(i -> instance().build()).toList())
        .stream()
        .map(StartResult::id)
        .toList();
  }

  /** Starts an instance and claims it. */
  WorkflowInstance startAndClaim() {
    return startAndClaim(instance());
  }

  /** Starts an instance held by {@link #executor}, as after a claim. */
  WorkflowInstance startAndClaim(StartSpec spec) {
    return read(start(spec.heldBy(executor)));
  }

  /** Claims due instances. */
  List<WorkflowInstance> claim(int limit) {
    return claim(executor, limit).claimed().stream().map(ClaimResult.Claimed::instance).toList();
  }

  ClaimResult claim(long executorId, int limit) {
    return store.instances().claim(new ClaimRequest(executorId, group, List.of(definition), limit));
  }

  /** Claims the only due instance. */
  WorkflowInstance claimOne() {
    return claimOne(executor);
  }

  WorkflowInstance claimOne(long executorId) {
    List<ClaimResult.Claimed> claimed = claim(executorId, 10).claimed();
    assertThat(claimed).hasSize(1);
    return claimed.getFirst().instance();
  }

  static Fence fence(WorkflowInstance held) {
    return SaveSpec.fenceOf(held);
  }

  static SaveSpec transitionOf(WorkflowInstance held) {
    return new SaveSpec(held);
  }

  SaveResult save(SaveSpec spec) {
    return save(spec.build());
  }

  SaveResult save(SaveRequest saveRequest) {
    List<SaveResult> results = store.instances().save(List.of(saveRequest));
    assertThat(results).hasSize(1);
    return results.getFirst();
  }

  /** Saves where the fence must hold, and returns the instance afterwards. */
  WorkflowInstance saveAccepted(SaveSpec spec) {
    SaveRequest saveRequest = spec.build();
    assertThat(save(saveRequest)).isInstanceOf(SaveResult.Saved.class);
    return read(saveRequest.fence().instanceId());
  }

  /** Returns an instance that no executor holds and that waits for {@code event} without limit. */
  WorkflowInstance waitingFor(String event) {
    return saveAccepted(transitionOf(startAndClaim()).to("waiting").waitFor(event, NEVER));
  }

  WorkflowInstance read(long id) {
    return store.queries().find(id).orElseThrow();
  }

  WorkflowInstance read(WorkflowInstance instance) {
    return read(instance.id());
  }

  List<HistoryEntry> history(WorkflowInstance instance) {
    return store.queries().history(instance.id(), 0, 1000);
  }

  HistoryEntry lastAction(WorkflowInstance instance) {
    return history(instance).getLast();
  }

  List<InboxMessage> unconsumedMessages(WorkflowInstance instance) {
    return store.instances().unconsumedMessages(instance.id());
  }

  SignalResult signal(WorkflowInstance instance, String name) {
    return signal(instance, name, null);
  }

  SignalResult signal(WorkflowInstance instance, String name, String key) {
    return store.operators().signal(new SignalRequest(instance.id(), name, null, null, key));
  }

  CommandResult apply(WorkflowInstance instance, OperatorCommand command) {
    return store.operators().apply(instance.id(), command, BY_ALICE);
  }

  /** Applies a command that must succeed, and returns the instance afterwards. */
  WorkflowInstance applyAccepted(WorkflowInstance instance, OperatorCommand command) {
    assertThat(apply(instance, command)).isInstanceOf(CommandResult.Applied.class);
    return read(instance);
  }

  static SaveResult.Saved released(int inboxCount) {
    return new SaveResult.Saved(inboxCount, false);
  }

  static SaveResult.Saved kept(int inboxCount) {
    return new SaveResult.Saved(inboxCount, true);
  }

  /** Lets every lease expire. */
  void expireLeases() {
    advance(TTL.plusSeconds(1));
  }
}
