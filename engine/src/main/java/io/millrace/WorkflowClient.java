package io.millrace;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.codec.Codec;
import io.millrace.codec.CodecException;
import io.millrace.codec.SecretCipher;
import io.millrace.codec.TypeRef;
import io.millrace.definition.DefinitionDocument;
import io.millrace.definition.SecretFields;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.dispatch.DefinitionRegistry;
import io.millrace.dispatch.LocalExecutors;
import io.millrace.dispatch.NameRules;
import io.millrace.dispatch.NewInstanceFactory;
import io.millrace.dispatch.ValueSerializer;
import io.millrace.extension.EngineServices;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.InboxMessage;
import io.millrace.instance.InstanceConflictException;
import io.millrace.instance.InstanceNotFoundException;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.Page;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StartedInstance;
import io.millrace.instance.StatusReason;
import io.millrace.instance.TooLargeException;
import io.millrace.instance.WakeResult;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.CallerTransactions;
import io.millrace.store.DefinitionStore.StoredDefinition;
import io.millrace.store.LoadLimits;
import io.millrace.store.OperatorCommand;
import io.millrace.store.OperatorStore.CommandResult;
import io.millrace.store.OperatorStore.SignalRequest;
import io.millrace.store.StartResult;
import io.millrace.store.Store;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Starts, controls and shows workflow instances. Thread-safe. In an engine with {@link
 * EngineBuilder#transactions}, starts, signals, operator actions and reads of one instance by its
 * id take part in the transaction of the caller, if it has one. Every method throws {@link
 * io.millrace.store.StoreException} if the database does not answer. It is then unknown whether a
 * start, signal or action took effect, and repeating it is safe where it has an external id or key.
 */
public final class WorkflowClient {

  private static final int HISTORY_PAGE = 1000;

  private final EngineParts features;
  private final Store store;
  private final Store.JoinedAccess joined;
  private final CallerTransactions transactions;
  private final EngineServices services;
  private final LocalExecutors executors;
  private final NewInstanceFactory instanceFactory;
  private final DefinitionRegistry definitions;
  private final ValueSerializer values;
  private final Codec codec;

  WorkflowClient(
      EngineServices services,
      CallerTransactions transactions,
      LocalExecutors executors,
      NewInstanceFactory instanceFactory,
      DefinitionRegistry definitions,
      ValueSerializer values,
      EngineParts features) {
    this.features = features;
    this.services = services;
    this.store = services.store();
    this.joined = store.joining(transactions);
    this.transactions = transactions;
    this.executors = executors;
    this.instanceFactory = instanceFactory;
    this.definitions = definitions;
    this.values = values;
    this.codec = values.codec();
  }

  /**
   * Starts an instance; it is durable when this returns.
   *
   * @throws InstanceConflictException if an earlier start used the external id with another payload
   * @throws io.millrace.instance.UnknownWorkflowException if no engine has registered the type
   * @throws io.millrace.instance.InvalidRequestException if a name is invalid
   * @throws TooLargeException if the variables have more than an executor can load
   * @throws io.millrace.codec.CodecException if a value cannot be stored
   */
  public StartedInstance start(StartRequest request) {
    return startAll(List.of(requirePresent(request, "The request to start"))).getFirst();
  }

  /**
   * Starts instances in one transaction. The results are in the order of the requests. The errors
   * are those of {@link #start}. If the database rejects them, none is started. If an external id
   * belongs to a start with another payload, all the others are started.
   */
  public List<StartedInstance> startAll(List<StartRequest> requests) {
    if (requests.isEmpty()) {
      return List.of();
    }
    requests.forEach(request -> requirePresent(request, "A request to start"));
    return transactions.isActive()
        ? startJoined(requests)
        : services.startAll(requests, services.executorGroup());
  }

  private List<StartedInstance> startJoined(List<StartRequest> requests) {
    List<StartResult> results =
        joined.instances().start(requests.stream().map(instanceFactory::topLevel).toList());
    transactions.afterCommit(services::poll);
    return IntStream.range(0, results.size())
        .mapToObj(i -> results.get(i).requireSame(requests.get(i)))
        .toList();
  }

  /**
   * Starts an instance in the caller's own transaction: it exists after the caller's commit, or not
   * at all. Other threads may claim it as soon as that is done.
   */
  public StartedInstance start(Connection transaction, StartRequest request) {
    StartResult result = store.instances().start(transaction, instanceFactory.topLevel(request));
    executors.current().checkServed();
    return result.requireSame(request);
  }

  /** Sends a signal without payload; see {@link #signal(long, String, Object)}. */
  public void signal(long instanceId, String name) {
    signal(new SignalRequest(instanceId, name, null, null, null));
  }

  /**
   * Sends a signal. It is kept until a transition consumes it, and wakes the instance if that waits
   * for it.
   *
   * @throws InstanceConflictException if the instance has ended
   * @throws InstanceNotFoundException if there is no such instance
   */
  public void signal(long instanceId, String name, Object payload) {
    signal(new SignalRequest(instanceId, name, encode(name, payload), null, null));
  }

  /**
   * Sends a signal, once however often this is repeated with the same {@code key}.
   *
   * @param payload null for none
   * @param actor sender of the signal; null if unknown
   * @param key at most 200 characters; null for none
   */
  public void signal(
      long instanceId,
      String name,
      @Nullable Object payload,
      @Nullable String actor,
      @Nullable String key) {
    signal(
        new SignalRequest(
            instanceId, name, payload == null ? null : encode(name, payload), actor, key));
  }

  private void signal(SignalRequest request) {
    EngineServices.signal(
        joined.operators(), request, () -> transactions.afterCommit(services::poll));
  }

  private String encode(String signal, Object payload) {
    String what = "The payload of signal '" + signal + "'";
    return CodecException.naming(what, () -> codec.encode(requirePresent(payload, what)));
  }

  /** Makes the instance due now; see {@link #wake(long, String, OperatorAction)}. */
  public WakeResult wake(long instanceId, OperatorAction action) {
    return wake(instanceId, null, action);
  }

  /**
   * Makes the instance due now. If it is executing, it runs again afterwards.
   *
   * @param expectedState wakes it only in this state; null for any state
   * @throws InstanceConflictException if it is paused, waits for an operator or has ended
   */
  public WakeResult wake(long instanceId, @Nullable String expectedState, OperatorAction action) {
    OperatorCommand wake = new OperatorCommand.Wake(expectedState);
    return switch (carryOut(instanceId, wake, action)) {
      case CommandResult.AfterAttempt later -> WakeResult.AFTER_ATTEMPT;
      case CommandResult.Refused refused when refused.inOtherState() -> WakeResult.OTHER_STATE;
      case CommandResult.Refused refused ->
          throw new InstanceConflictException(instanceId, refused.message());
      default -> WakeResult.WOKEN;
    };
  }

  /**
   * Ends the instance as cancelled. A running handler is told to stop, and its answer is ignored.
   */
  public void cancel(long instanceId, OperatorAction action) {
    apply(instanceId, new OperatorCommand.Cancel(), action);
  }

  /** Keeps the instance from running until resumed. A running handler may end its attempt. */
  public void pause(long instanceId, OperatorAction action) {
    apply(instanceId, new OperatorCommand.Pause(), action);
  }

  /** Ends a pause. */
  public void resume(long instanceId, OperatorAction action) {
    apply(instanceId, new OperatorCommand.Resume(), action);
  }

  /**
   * Runs the current state again now, with fresh attempts; also for failed and parked instances.
   */
  public void retry(long instanceId, OperatorAction action) {
    apply(instanceId, new OperatorCommand.Retry(), action);
  }

  /** Moves the instance to a state; see {@link #move(long, String, String, OperatorAction)}. */
  public void move(long instanceId, String state, OperatorAction action) {
    move(instanceId, null, state, action);
  }

  /**
   * Moves the instance to a state and makes it due there.
   *
   * @param expectedState refuses unless the instance is in this state; null for no check
   * @throws InstanceConflictException if it is elsewhere, executing or ended, if its definition
   *     does not permit the transition, and if its children run and the state would not wait for
   *     them
   * @throws io.millrace.instance.InvalidRequestException if the definition has no such state
   */
  public void move(
      long instanceId, @Nullable String expectedState, String state, OperatorAction action) {
    move(instanceId, expectedState, state, action, false);
  }

  /**
   * Moves the instance as {@link #move(long, String, String, OperatorAction)} does, even where its
   * definition does not permit it or its children run. The history and the audit trail then record
   * that the move was forced.
   */
  public void forceMove(
      long instanceId, @Nullable String expectedState, String state, OperatorAction action) {
    move(instanceId, expectedState, state, action, true);
  }

  private void move(
      long instanceId,
      @Nullable String expectedState,
      String state,
      OperatorAction action,
      boolean forced) {
    requirePresent(state, "The state to move to");
    DefinitionDocument definition = document(get(instanceId));
    apply(instanceId, ManualTransitions.to(state, expectedState, definition, forced), action);
  }

  /**
   * Sets variables, and removes those whose value is null.
   *
   * @throws InstanceConflictException when the instance is executing or has ended
   * @throws TooLargeException if the variables would have more than an executor can load, and more
   *     than before
   */
  public void editVariables(
      long instanceId, Map<String, ? extends @Nullable Object> variables, OperatorAction action) {
    SecretFields secretFields = secrecy(get(instanceId));
    Map<String, @Nullable String> encoded = new TreeMap<>();
    variables.forEach((name, value) -> {
      NameRules.check("variable", name);
      encoded.put(name, value == null ? null : values.encode(secretFields, name, value));
    });
    long limit = instanceFactory.maxInstanceBytes();
    apply(instanceId, new OperatorCommand.EditVariables(encoded, limit), action);
  }

  private void apply(long instanceId, OperatorCommand command, OperatorAction action) {
    if (carryOut(instanceId, command, action) instanceof CommandResult.Refused refused) {
      throw new InstanceConflictException(instanceId, refused.message());
    }
  }

  /** Returns the result of a command on an instance that exists. */
  private CommandResult carryOut(long instanceId, OperatorCommand command, OperatorAction action) {
    CommandResult result =
        joined
            .operators()
            .apply(
                instanceId,
                command,
                requirePresent(action, "The operator action, which names actor and reason,"));
    switch (result) {
      case CommandResult.Applied applied ->
          transactions.afterCommit(() -> applied(instanceId, command, applied, action));
      case CommandResult.NotFound missing -> throw new InstanceNotFoundException(instanceId);
      case CommandResult.TooLarge large ->
          throw new TooLargeException(
              "Edit of instance "
                  + instanceId
                  + ": its variables together would have "
                  + LoadLimits.excess(large.bytes(), instanceFactory.maxInstanceBytes())
                  + " Remove others in the same edit, or keep large data elsewhere and store"
                  + " references to them.");
      case CommandResult.AfterAttempt later -> {}
      case CommandResult.Refused refused -> {}
    }
    return result;
  }

  private void applied(
      long instanceId,
      OperatorCommand command,
      CommandResult.Applied applied,
      OperatorAction action) {
    if (applied.previousExecutorId() != null) {
      executors.dropChanged(instanceId, command.type().code() + " by " + action.actor());
    }
    if (applied.due() || command instanceof OperatorCommand.Cancel) {
      services.poll();
    }
  }

  /** Returns the instance as it is now; empty if there is none. */
  public Optional<WorkflowInstance> find(long instanceId) {
    return joined.queries().find(instanceId);
  }

  /**
   * Returns the instance as it is now.
   *
   * @throws InstanceNotFoundException if there is none
   */
  public WorkflowInstance get(long instanceId) {
    return find(instanceId).orElseThrow(() -> new InstanceNotFoundException(instanceId));
  }

  /**
   * Waits until the instance has ended, {@code limit} has passed, the thread is interrupted or the
   * engine is closed. What a transaction has not committed does not exist here.
   *
   * @return the instance as it is then; check its status
   * @throws InstanceNotFoundException if there is none
   */
  public WorkflowInstance await(long instanceId, Duration limit) {
    return executors.await(
        instanceId,
        limit,
        () ->
            store
                .queries()
                .find(instanceId)
                .orElseThrow(() -> new InstanceNotFoundException(instanceId)));
  }

  /**
   * Returns the instance's input, decrypted if it is secret; empty if it had none or does not
   * exist.
   */
  public <T> Optional<T> input(long instanceId, Class<T> type) {
    return input(instanceId, TypeRef.of(type));
  }

  /**
   * Returns the instance's input, decrypted if it is secret; empty if it had none or does not
   * exist.
   */
  public <T> Optional<T> input(long instanceId, TypeRef<T> type) {
    return joined
        .queries()
        .input(instanceId)
        .map(json -> values.decodeInput(secrecyFor(instanceId, json), json, type));
  }

  /** Returns a variable, decrypted if it is secret; empty if it is not set. */
  public <T> Optional<T> variable(long instanceId, String name, Class<T> type) {
    return variable(instanceId, name, TypeRef.of(type));
  }

  /** Returns a variable, decrypted if it is secret; empty if it is not set. */
  public <T> Optional<T> variable(long instanceId, String name, TypeRef<T> type) {
    return Optional.ofNullable(variables(instanceId).get(name))
        .map(json -> values.decode(secrecyFor(instanceId, json), name, json, type));
  }

  /** Returns the secret fields of an instance, read only if the text looks encrypted. */
  private SecretFields secrecyFor(long instanceId, String json) {
    return SecretCipher.isSealed(json) ? secrecy(get(instanceId)) : SecretFields.NONE;
  }

  private SecretFields secrecy(WorkflowInstance instance) {
    WorkflowDefinition known = definitions.find(instance.type(), instance.version());
    return known != null ? known.secretFields() : document(instance).secrecy();
  }

  /** Returns all variables as JSON texts by name. Secret ones show only their sealed form. */
  public Map<String, String> variables(long instanceId) {
    return joined.queries().variables(instanceId);
  }

  /** Returns the first thousand history entries, oldest first. */
  public List<HistoryEntry> history(long instanceId) {
    return history(instanceId, 0, HISTORY_PAGE);
  }

  /**
   * Returns at most {@code limit} history entries with a {@code seq} above {@code afterSeq}, oldest
   * first. There are fewer, but at least one, if their texts are large.
   */
  public List<HistoryEntry> history(long instanceId, int afterSeq, int limit) {
    return joined.queries().history(instanceId, afterSeq, limit);
  }

  /**
   * Returns the last messages sent to the instance, newest first; fewer if their payloads are
   * large.
   */
  public List<InboxMessage> inboxMessages(long instanceId, int limit) {
    return joined.queries().inboxMessages(instanceId, limit);
  }

  /** Returns a page of the instances that match, newest first. */
  public Page<WorkflowInstance> search(InstanceQuery query) {
    requirePresent(query, "The query");
    return store.queries().search(query, VariableMatchEncoder.variableValue(store, codec, query));
  }

  /** Explains why the instance is in its current state. */
  public StatusReason statusReason(long instanceId) {
    WorkflowInstance instance = get(instanceId);
    StatusReason reason =
        StatusReasons.of(
            instance,
            executors.isQueued(instanceId),
            store.queries().now(),
            store.executors().list(instance.origin().executorGroup()),
            store
                .definitions()
                .find(instance.type(), instance.version())
                .map(StoredDefinition::id)
                .orElse(-1));
    return features.explain(instance, reason);
  }

  /** Returns all executors of a group. */
  public List<ExecutorInfo> executors(String executorGroup) {
    return store.executors().list(executorGroup);
  }

  /** Returns every definition that any engine has registered. */
  public List<DefinitionDocument> definitions() {
    return store.definitions().list().stream().map(this::document).toList();
  }

  private DefinitionDocument document(WorkflowInstance instance) {
    var known = definitions.find(instance.type(), instance.version());
    return known != null
        ? DefinitionDocument.of(known)
        : store
            .definitions()
            .find(instance.type(), instance.version())
            .map(this::document)
            .orElseThrow();
  }

  private DefinitionDocument document(StoredDefinition stored) {
    return DefinitionDocument.parse(stored.document());
  }
}
