package io.millrace.dispatch;

import io.millrace.definition.DefinitionDocument;
import io.millrace.definition.Secrecy;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.Origin;
import io.millrace.instance.StartRequest;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.store.DefinitionStore;
import io.millrace.store.NewInstance;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Turns requests into new instances: finds the definition, here or in the store, and writes values
 * as JSON.
 */
public final class Starts {

  private final Definitions definitions;
  private final DefinitionStore stored;
  private final Values values;
  private final String executorGroup;
  private final Handovers handovers;
  private final InstantSource clock;

  public Starts(
      Definitions definitions,
      DefinitionStore stored,
      Values values,
      EngineSettings settings,
      InstantSource clock) {
    this.definitions = definitions;
    this.stored = stored;
    this.values = values;
    this.executorGroup = settings.executorGroup();
    this.handovers = Handovers.of(settings);
    this.clock = clock;
  }

  private record Target(
      int definitionId,
      int version,
      String startState,
      Secrecy secrecy,
      @Nullable String channel) {}

  /** An independent instance. */
  public NewInstance independent(StartRequest request) {
    return make(request, executorGroup, null, new Misuse());
  }

  /** An independent instance that the executors of a group are to run. */
  public NewInstance independent(StartRequest request, String group) {
    return make(request, group, null, new Misuse());
  }

  /**
   * A child, in its parent's group.
   *
   * @param misuse learns of a request that can never succeed; an unknown type may be known later
   */
  NewInstance child(StartRequest request, Origin parent, long parentId, Misuse misuse) {
    return make(request, parent.executorGroup(), parentId, misuse);
  }

  private NewInstance make(
      StartRequest request, String group, @Nullable Long parentId, Misuse misuse) {
    Target target = target(request.type(), request.version());
    StartRequest.Keys keys = misuse.check(() -> checked(request.keys()));
    ClearPayload clear = misuse.check(() -> clear(target.secrecy, request));
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
        payload(target.secrecy, clear),
        target.channel == null ? request.due() : handovers.later(request.due()),
        null,
        target.channel == null
            ? null
            : Handovers.message(target.channel, request.due(), false, clock.instant()));
  }

  private static StartRequest.Keys checked(StartRequest.Keys keys) {
    if (keys.businessKey() != null) {
      Names.checkKey("business key", keys.businessKey());
    }
    if (keys.externalId() != null) {
      Names.checkKey("external id", keys.externalId());
    }
    return keys;
  }

  /** Input and variables as JSON text, not sealed. */
  private record ClearPayload(@Nullable String input, Map<String, String> variables) {}

  private ClearPayload clear(Secrecy secrecy, StartRequest request) {
    String input = values.clearInput(secrecy, request.type(), request.input());
    Map<String, String> variables = new TreeMap<>();
    request
        .variables()
        .forEach((name, value) -> {
          Names.check("variable", name);
          variables.put(name, values.clear(secrecy, name, value));
        });
    return new ClearPayload(input, variables);
  }

  private NewInstance.Payload payload(Secrecy secrecy, ClearPayload clear) {
    List<String> fingerprints = values.fingerprints(secrecy, clear.input, clear.variables);
    Map<String, String> sealed = new TreeMap<>(clear.variables);
    sealed.replaceAll((name, json) -> values.seal(secrecy, name, json));
    return new NewInstance.Payload(values.sealInput(secrecy, clear.input), sealed, fingerprints);
  }

  private Target target(String type, @Nullable Integer version) {
    WorkflowDefinition known =
        version == null ? definitions.latest(type) : definitions.find(type, version);
    Integer id = known == null ? null : definitions.id(type, known.version());
    if (known != null && id != null) {
      return target(id, known);
    }
    Definitions.Described described = version == null ? null : definitions.described(type, version);
    if (described != null) {
      return target(described.id(), described.definition());
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
        definition.secrecy(),
        handovers.channel(definition.startState()));
  }

  private Target target(DefinitionStore.StoredDefinition definition) {
    DefinitionDocument document =
        values.codec().decode(definition.document(), DefinitionDocument.class);
    return new Target(
        definition.id(),
        definition.version(),
        document.startState(),
        document.secrecy(),
        handovers.patience().isZero() ? null : document.startChannel());
  }

  private static InvalidRequestException unknown(String type, @Nullable Integer version) {
    return new InvalidRequestException(
        "Workflow '"
            + type
            + "'"
            + (version == null ? "" : " version " + version)
            + " is not known: no engine has registered it. Pass its definition to the engine's builder, or check the"
            + " name.");
  }
}
