package io.millrace.dispatch;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.codec.CodecException;
import io.millrace.codec.SecretCipher;
import io.millrace.codec.TypeRef;
import io.millrace.data.KeyValues;
import io.millrace.data.PeriodLedger;
import io.millrace.data.Reduce;
import io.millrace.definition.CancelToken;
import io.millrace.definition.InputPartReader;
import io.millrace.definition.ReceivedSignal;
import io.millrace.definition.SecretFields;
import io.millrace.definition.SecretMask;
import io.millrace.definition.StateContext;
import io.millrace.definition.StopSignal;
import io.millrace.instance.ChildCounts;
import io.millrace.instance.InboxMessage;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.Progress;
import io.millrace.instance.StartRequest;
import io.millrace.instance.TimeLimits;
import io.millrace.store.AttachedWrite;
import io.millrace.store.Fence;
import io.millrace.store.InboxRules;
import io.millrace.store.InstanceStore.StepRecord;
import io.millrace.store.LoadLimits;
import io.millrace.store.NewInstance;
import io.millrace.store.QueryStore.ChildVariable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** The context of one attempt. Its changes are dropped unless the answer is accepted. */
final class DefaultStateContext implements StateContext, SecretMask, InputPartReader {

  private final EngineContext engine;
  private final LeasedInstance leased;
  private final LeasedInstance.Attempt attempt;
  private final Instant begun;
  private final AttemptServices services;

  // Copied, because a handler may outlive its attempt and must not see the next one.
  private final Fence fence;
  private final String state;
  private final int enteredSeq;
  private final int attempts;
  private final Map<String, String> variables;
  private final Map<String, String> steps;
  private final ChildCounts earlierChildren;

  private final NonRetryableErrorTracker errorTracker = new NonRetryableErrorTracker();
  private final AttemptDataAccess data;
  private final AttemptSignals signals;
  private final Redactor redactor;
  private final Map<String, @Nullable String> changed = new TreeMap<>();
  private final List<NewInstance> children = new ArrayList<>();
  private final Set<String> stepNames = new HashSet<>();

  /** Bytes of the step results; negative until the first of this attempt is recorded. */
  private long stepBytes = -1;

  DefaultStateContext(
      EngineContext engine,
      LeasedInstance leased,
      LeasedInstance.Attempt attempt,
      AttemptServices services) {
    this.engine = engine;
    this.leased = leased;
    this.attempt = attempt;
    this.begun = engine.clock().instant();
    this.services = services;
    this.fence = leased.fence();
    this.state = leased.state;
    this.enteredSeq = leased.enteredSeq;
    this.attempts = leased.attempts;
    this.variables = leased.variables;
    this.steps = leased.steps;
    this.earlierChildren = leased.children;
    boolean ignoresCheckpoints = "false".equals(leased.variables.get(StartRequest.RESUME));
    this.data =
        new AttemptDataAccess(
            engine,
            services.storeCalls(),
            fence,
            attempt.token(),
            leased.origin,
            ignoresCheckpoints);
    this.signals = new AttemptSignals(leased.inbox, this::ask, engine.codec(), errorTracker);
    this.redactor = new Redactor(engine.codec());
  }

  @Override
  public long instanceId() {
    return leased.id();
  }

  @Override
  public String type() {
    return leased.origin.type();
  }

  @Override
  public String state() {
    return state;
  }

  @Override
  public @Nullable String businessKey() {
    return leased.origin.businessKey();
  }

  @Override
  public @Nullable String externalId() {
    return leased.origin.externalId();
  }

  @Override
  public int attempt() {
    return attempts;
  }

  @Override
  public int seq() {
    return fence.seq() + 1;
  }

  @Override
  public String idempotencyKey() {
    return leased.id() + "-" + enteredSeq;
  }

  @Override
  public @Nullable Instant deadline() {
    return attempt.timeout() == null ? null : TimeLimits.after(begun, attempt.timeout());
  }

  @Override
  public CancelToken cancelToken() {
    return attempt.token().forHandler(engine.runtime().runner());
  }

  @Override
  public StopSignal stopSignal() {
    return attempt.stop();
  }

  @Override
  public Instant now() {
    return engine.clock().instant();
  }

  @Override
  public <T> T input(TypeRef<T> type) {
    String stored =
        errorTracker.check(() -> present(leased.input, "was started without input", type));
    SecretFields secretFields = leased.definition.secretFields();
    String json = engine.values().openInput(secretFields, stored);
    if (secretFields.input()) {
      redactor.addSecret(json);
    }
    return errorTracker.check(
        () -> engine.values().read(secretFields.input(), "input", json, type));
  }

  private String present(@Nullable String json, String otherwise, TypeRef<?> type) {
    if (json == null) {
      throw new CodecException(
          "Instance " + leased.id() + " " + otherwise + ", but a handler asks for a " + type + ".",
          null);
    }
    return json;
  }

  @Override
  public <T> T get(String name, TypeRef<T> type) {
    Optional<T> found = find(name, type);
    return errorTracker.check(() ->
        found.orElseThrow(() ->
            new CodecException(
                "Instance "
                    + leased.id()
                    + " has no variable '"
                    + name
                    + "'; it has "
                    + variables().keySet()
                    + ".",
                null)));
  }

  @Override
  public <T> Optional<T> find(String name, TypeRef<T> type) {
    String json = changed.containsKey(name) ? changed.get(name) : variables.get(name);
    return json == null ? Optional.empty() : Optional.ofNullable(decodeVariable(name, json, type));
  }

  @Override
  public void set(String name, Object value) {
    SecretFields secretFields = leased.definition.secretFields();
    String json =
        errorTracker.check(() -> {
          NameRules.check("variable", name);
          return engine
              .values()
              .encodePlain(secretFields, name, requirePresent(value, "Variable '" + name + "'"));
        });
    if (secretFields.covers(name)) {
      redactor.addSecret(json);
    }
    if (json.equals(stored(name))) {
      changed.remove(name);
    } else {
      changed.put(name, engine.values().seal(secretFields, name, json));
    }
  }

  @Override
  public void remove(String name) {
    if (variables.containsKey(name)) {
      changed.put(name, null);
    } else {
      changed.remove(name);
    }
  }

  @Override
  public <T> T once(String name, TypeRef<T> type, Callable<T> work) throws Exception {
    errorTracker.check(() -> newStep(name));
    String stored = steps.get(name);
    if (stored != null) {
      return decode("Step '" + name + "'", stored, type);
    }
    attempt.token().throwIfCancelled();
    T answer = work.call();
    T result =
        errorTracker.check(() -> requirePresent(answer, "The result of step '" + name + "'"));
    record(name, errorTracker.check(() -> encode("Step '" + name + "'", result)));
    return result;
  }

  private String newStep(String name) {
    NameRules.check("step", name);
    if (!stepNames.add(name)) {
      throw new InvalidRequestException(
          "Step '"
              + name
              + "' was used twice in one attempt of state '"
              + state
              + "', and the second would be skipped; give each step a name of its own, for example"
              + " '"
              + name
              + "-2'.");
    }
    return name;
  }

  @Override
  public <T> Optional<T> onceResult(String name, TypeRef<T> type) {
    String stored = steps.get(name);
    return stored == null
        ? Optional.empty()
        : Optional.of(decode("Step '" + name + "'", stored, type));
  }

  @Override
  public void once(String name, SideEffect work) throws Exception {
    once(
        name,
        Boolean.class,
        () -> {
          work.run();
          return Boolean.TRUE;
        });
  }

  private void record(String name, String json) throws InterruptedException {
    errorTracker.check(() -> withinLimit(name, json));
    services.journal().record(new StepRecord(fence, enteredSeq, name, json), attempt.token());
    steps.put(name, json);
    stepBytes += InboxRules.bytes(json);
  }

  private String withinLimit(String name, String json) {
    if (stepBytes < 0) {
      stepBytes = steps.values().stream().mapToLong(InboxRules::bytes).sum();
    }
    if (stepBytes + InboxRules.bytes(json) > LoadLimits.instanceBytes(engine.maxClaimBytes())) {
      throw new InvalidRequestException(
          "With step '"
              + name
              + "' the results of the steps in state '"
              + state
              + "' have more than "
              + (LoadLimits.instanceBytes(engine.maxClaimBytes()) >> 20)
              + " MiB together, the most that an executor can load. Divide the work among several"
              + " states.");
    }
    return json;
  }

  @Override
  public void progress(long done, long total, @Nullable String text) {
    Progress progress = new Progress(done, total, text == null ? null : redactor.clean(text));
    if (attempt.equals(leased.attempt())) {
      leased.progress = progress;
    }
    services.progress().post(fence, progress);
  }

  @Override
  public void spawn(StartRequest child) {
    StartRequest request =
        errorTracker.check(() -> requirePresent(child, "The request for a child"));
    children.add(
        services.instanceFactory().child(request, leased.origin, leased.id(), errorTracker));
  }

  @Override
  public ChildCounts children() {
    return earlierChildren;
  }

  @Override
  public <T> List<T> childVariables(String variable, TypeRef<T> type) {
    long maxBytes = LoadLimits.instanceBytes(engine.maxClaimBytes());
    List<ChildVariable> found =
        errorTracker.check(
            () -> engine.store().queries().childVariables(leased.id(), variable, maxBytes));
    return found.stream().map(one -> decodeOfChild(variable, one, type)).toList();
  }

  @Override
  public Optional<ReceivedSignal> signal(String name) {
    return signals.receive(name);
  }

  private Optional<InboxMessage> ask(String signal) {
    return services
        .storeCalls()
        .run(() -> engine.store().instances().oldestSignal(leased.id(), signal), attempt.token());
  }

  @Override
  public KeyValues keyValues() {
    return data.keyValues();
  }

  @Override
  public PeriodLedger periodLedger() {
    return data.periodLedger();
  }

  @Override
  public Reduce reduce(String group) {
    return data.reduce(group);
  }

  @Override
  public void checkpoint(String name, @Nullable Object value) {
    errorTracker.check(() -> {
      data.checkpoint(name, value);
      return name;
    });
  }

  @Override
  public <T> Optional<T> lastCheckpoint(String name, TypeRef<T> type) {
    return data.lastCheckpoint(name, type);
  }

  private <T> T decodeVariable(String name, String stored, TypeRef<T> type) {
    SecretFields secretFields = leased.definition.secretFields();
    String json = engine.values().open(secretFields, name, stored);
    if (secretFields.covers(name)) {
      redactor.addSecret(json);
    }
    return errorTracker.check(() ->
        engine.values().read(secretFields.covers(name), "variable '" + name + "'", json, type));
  }

  /**
   * Decrypts a value only if the child's definition marks it as secret, since a caller's input can
   * look like a sealed text.
   */
  private <T> T decodeOfChild(String name, ChildVariable stored, TypeRef<T> type) {
    SecretFields secretFields =
        SecretCipher.isSealed(stored.json())
            ? engine.definitions().secrecy(stored.type(), stored.version())
            : SecretFields.NONE;
    boolean secret = secretFields.covers(name);
    String json = engine.values().open(secretFields, name, stored.json());
    if (secret) {
      redactor.addSecret(json);
    }
    return errorTracker.check(
        () -> engine.values().read(secret, "variable '" + name + "' of a child", json, type));
  }

  /**
   * Returns the value stored before this attempt; null also for a secret that cannot be decrypted.
   */
  private @Nullable String stored(String name) {
    String json = variables.get(name);
    try {
      return json == null
          ? null
          : engine.values().open(leased.definition.secretFields(), name, json);
    } catch (CodecException e) {
      return null;
    }
  }

  @Override
  public <T> T inputPart(String what, @Nullable Object part, TypeRef<T> type) {
    return decode(what, part == null ? "null" : engine.codec().encode(part), type);
  }

  @Override
  public String masked(String text) {
    return redactor.clean(text);
  }

  @Override
  public Throwable masked(Throwable failure) {
    return redactor.clean(failure);
  }

  NonRetryableErrorTracker misuse() {
    return errorTracker;
  }

  Redactor redactor() {
    return redactor;
  }

  private String encode(String what, Object value) {
    return CodecException.naming(what, () -> engine.codec().encode(requirePresent(value, what)));
  }

  private <T> T decode(String what, String json, TypeRef<T> type) {
    return errorTracker.check(
        () -> CodecException.naming(what, () -> engine.codec().decode(json, type)));
  }

  Map<String, @Nullable String> changed() {
    return changed;
  }

  /** Returns the writes that the transition carries. */
  List<AttachedWrite> attached() {
    return data.attached();
  }

  List<NewInstance> spawned() {
    return children;
  }

  /** Returns the ids of the signals that the handler received, also after its claim. */
  Set<Long> consumed() {
    return signals.received();
  }

  /** Returns the variables with this attempt's changes. */
  Map<String, String> variables() {
    return LeasedInstance.changed(variables, changed);
  }
}
