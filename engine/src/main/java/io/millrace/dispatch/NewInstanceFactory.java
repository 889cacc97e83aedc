package io.millrace.dispatch;

import io.millrace.definition.DefinitionDocument;
import io.millrace.definition.SecretFields;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.Origin;
import io.millrace.instance.StartRequest;
import io.millrace.instance.TooLargeException;
import io.millrace.instance.UnknownWorkflowException;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.store.DefinitionStore;
import io.millrace.store.InboxRules;
import io.millrace.store.LoadLimits;
import io.millrace.store.NewInstance;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A factory of new instances from start requests: finds the definition, here or in the store, and
 * writes values as JSON.
 */
public final class NewInstanceFactory {

  private final DefinitionRegistry definitions;
  private final DefinitionStore stored;
  private final ValueSerializer values;
  private final String executorGroup;
  private final ChannelHandoverPolicy channelHandoverPolicy;
  private final InstantSource clock;
  private final long maxClaimBytes;

  /** Creates a factory for an engine in this process. */
  public NewInstanceFactory(
      DefinitionRegistry definitions,
      DefinitionStore stored,
      ValueSerializer values,
      EngineSettings settings,
      EngineRuntime runtime) {
    this.definitions = definitions;
    this.stored = stored;
    this.values = values;
    this.executorGroup = settings.executorGroup();
    this.channelHandoverPolicy = ChannelHandoverPolicy.of(settings);
    this.clock = runtime.clock();
    this.maxClaimBytes = LoadLimits.maxBytesOfHeap(runtime.process().maxHeap());
  }

  private record Target(
      int definitionId,
      int version,
      String startState,
      SecretFields secrecy,
      @Nullable String channel) {}

  /** Returns an independent instance. */
  public NewInstance topLevel(StartRequest request) {
    return make(request, executorGroup, null, new NonRetryableErrorTracker());
  }

  /** Returns an independent instance for the executors of a group. */
  public NewInstance topLevel(StartRequest request, String group) {
    return make(request, group, null, new NonRetryableErrorTracker());
  }

  /**
   * Returns a child, in its parent's group.
   *
   * @param errorTracker records a request that can never succeed; an unknown type may be known
   *     later
   */
  NewInstance child(
      StartRequest request, Origin parent, long parentId, NonRetryableErrorTracker errorTracker) {
    return make(request, parent.executorGroup(), parentId, errorTracker);
  }

  private NewInstance make(
      StartRequest request,
      String group,
      @Nullable Long parentId,
      NonRetryableErrorTracker errorTracker) {
    Target target = target(request.type(), request.version());
    StartRequest.Keys keys = errorTracker.check(() -> checked(request.keys()));
    ClearPayload clear = errorTracker.check(() -> clear(target.secrecy, request));
    NewInstance.Payload payload = payload(target.secrecy, clear);
    errorTracker.check(() -> withinLimit(request.type(), payload));
    Origin origin =
        new Origin(
            request.type(),
            target.version,
            group,
            request.priority(),
            keys.businessKey(),
            keys.externalId(),
            parentId);
    return new NewInstance(
        origin,
        target.definitionId,
        target.startState,
        payload,
        target.channel == null ? request.due() : channelHandoverPolicy.later(request.due()),
        null,
        target.channel == null
            ? List.of()
            : ChannelHandoverPolicy.message(target.channel, request.due(), false, clock.instant()));
  }

  private static StartRequest.Keys checked(StartRequest.Keys keys) {
    if (keys.businessKey() != null) {
      NameRules.checkKey("business key", keys.businessKey());
    }
    if (keys.externalId() != null) {
      NameRules.checkKey("external id", keys.externalId());
    }
    return keys;
  }

  /** The input and variables as JSON text, not sealed. */
  private record ClearPayload(@Nullable String input, Map<String, String> variables) {}

  private ClearPayload clear(SecretFields secretFields, StartRequest request) {
    String input = values.clearInput(secretFields, request.type(), request.input());
    Map<String, String> variables = new TreeMap<>();
    request
        .variables()
        .forEach((name, value) -> {
          NameRules.check("variable", name);
          variables.put(name, values.encodePlain(secretFields, name, value));
        });
    return new ClearPayload(input, variables);
  }

  private NewInstance.Payload payload(SecretFields secretFields, ClearPayload clear) {
    List<String> hashes = values.payloadHashes(secretFields, clear.input, clear.variables);
    Map<String, String> sealed = new TreeMap<>(clear.variables);
    sealed.replaceAll((name, json) -> values.seal(secretFields, name, json));
    return new NewInstance.Payload(values.sealInput(secretFields, clear.input), sealed, hashes);
  }

  /** Returns the maximum number of bytes of the variables of an instance. */
  public long maxInstanceBytes() {
    return LoadLimits.instanceBytes(maxClaimBytes);
  }

  /**
   * Rejects data that would be parked when an executor with the heap of this process claims them.
   */
  private NewInstance.Payload withinLimit(String type, NewInstance.Payload payload) {
    if (payload.input() != null) {
      requireWithinLimit(type, "its input has", List.of(payload.input()));
    }
    requireWithinLimit(type, "its variables together have", payload.variables().values());
    return payload;
  }

  private void requireWithinLimit(String type, String what, Collection<String> texts) {
    if (LoadLimits.isTooLarge(texts, maxClaimBytes)) {
      throw new TooLargeException(
          "Start of '"
              + type
              + "': "
              + what
              + " "
              + LoadLimits.excess(
                  texts.stream().mapToLong(InboxRules::bytes).sum(), maxInstanceBytes())
              + " Keep large data elsewhere and store references to them.");
    }
  }

  private Target target(String type, @Nullable Integer version) {
    WorkflowDefinition known =
        version == null ? definitions.latest(type) : definitions.find(type, version);
    Integer id = known == null ? null : definitions.id(type, known.version());
    if (known != null && id != null) {
      return target(id, known);
    }
    DefinitionRegistry.UnrunnableDefinition unrunnableDefinition =
        version == null ? null : definitions.unrunnable(type, version);
    if (unrunnableDefinition != null) {
      return target(unrunnableDefinition.id(), unrunnableDefinition.definition());
    }
    Optional<DefinitionStore.StoredDefinition> other =
        version == null ? stored.latest(type) : stored.find(type, version);
    return other.map(this::target).orElseThrow(() -> unknown(type, version));
  }

  private Target target(int id, WorkflowDefinition definition) {
    return new Target(
        id,
        definition.version(),
        definition.startState().name(),
        definition.secretFields(),
        channelHandoverPolicy.channel(definition.startState()));
  }

  private Target target(DefinitionStore.StoredDefinition definition) {
    DefinitionDocument document = DefinitionDocument.parse(definition.document());
    return new Target(
        definition.id(),
        definition.version(),
        document.startState(),
        document.secrecy(),
        channelHandoverPolicy.patience().isZero() ? null : document.startChannel());
  }

  private static UnknownWorkflowException unknown(String type, @Nullable Integer version) {
    return new UnknownWorkflowException(
        "Workflow '"
            + type
            + "'"
            + (version == null ? "" : " version " + version)
            + " is not known: no engine has registered it. Pass its definition to the engine's builder, or check the"
            + " name.");
  }
}
