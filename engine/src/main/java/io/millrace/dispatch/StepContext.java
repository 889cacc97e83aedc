package io.millrace.dispatch;

import static io.millrace.instance.InvalidRequestException.given;

import io.millrace.codec.Codec;
import io.millrace.codec.CodecException;
import io.millrace.definition.CancelToken;
import io.millrace.definition.ReceivedSignal;
import io.millrace.definition.StateContext;
import io.millrace.instance.Children;
import io.millrace.instance.Progress;
import io.millrace.instance.Signal;
import io.millrace.instance.StartRequest;
import io.millrace.store.NewInstance;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * What a handler sees and what it changed; thrown away with the attempt unless its answer is
 * accepted.
 */
final class StepContext implements StateContext {

  private final Node node;
  private final Held held;
  private final Held.Attempt attempt;
  private final Instant begun;
  private final StepJournal journal;
  private final ProgressBoard progressBoard;
  private final Starts starts;

  private final Map<String, @Nullable String> changed = new TreeMap<>();
  private final List<NewInstance> children = new ArrayList<>();
  private final Set<Long> consumed = new TreeSet<>();

  StepContext(Node node, Held held, Held.Attempt attempt, Services services) {
    this.node = node;
    this.held = held;
    this.attempt = attempt;
    this.begun = node.clock().instant();
    this.journal = services.journal();
    this.progressBoard = services.progressBoard();
    this.starts = services.starts();
  }

  /** What a context calls on. */
  record Services(StepJournal journal, ProgressBoard progressBoard, Starts starts) {}

  @Override
  public long instanceId() {
    return held.id();
  }

  @Override
  public String type() {
    return held.origin.type();
  }

  @Override
  public String state() {
    return held.state;
  }

  @Override
  public @Nullable String businessKey() {
    return held.origin.businessKey();
  }

  @Override
  public @Nullable String externalId() {
    return held.origin.externalId();
  }

  @Override
  public int attempt() {
    return held.attempts;
  }

  @Override
  public String idempotencyKey() {
    return held.id() + "-" + held.enteredSeq;
  }

  @Override
  public @Nullable Instant deadline() {
    return attempt.timeout() == null ? null : begun.plus(attempt.timeout());
  }

  @Override
  public CancelToken cancelToken() {
    return attempt.token();
  }

  @Override
  public Instant now() {
    return node.clock().instant();
  }

  @Override
  public <T> T input(Class<T> type) {
    if (held.input == null) {
      throw new CodecException(
          "Instance "
              + held.id()
              + " was started without input, but a handler asks for a "
              + type.getName()
              + ".",
          null);
    }
    return node.codec().decode(held.input, type);
  }

  @Override
  public <T> T get(String name, Class<T> type) {
    return find(name, type)
        .orElseThrow(() ->
            new CodecException(
                "Instance "
                    + held.id()
                    + " has no variable '"
                    + name
                    + "'; it has "
                    + variables().keySet()
                    + ".",
                null));
  }

  @Override
  public <T> Optional<T> find(String name, Class<T> type) {
    String json = changed.containsKey(name) ? changed.get(name) : held.variables.get(name);
    return json == null ? Optional.empty() : Optional.ofNullable(node.codec().decode(json, type));
  }

  @Override
  public void set(String name, Object value) {
    Names.check("variable", name);
    String json = node.codec().encode(given(value, "Variable '" + name + "'"));
    if (json.equals(held.variables.get(name))) {
      changed.remove(name);
    } else {
      changed.put(name, json);
    }
  }

  @Override
  public void remove(String name) {
    if (held.variables.containsKey(name)) {
      changed.put(name, null);
    } else {
      changed.remove(name);
    }
  }

  @Override
  public <T> T once(String name, Class<T> type, Callable<T> work) throws Exception {
    Names.check("step", name);
    String stored = held.steps.get(name);
    if (stored != null) {
      return node.codec().decode(stored, type);
    }
    attempt.token().throwIfCancelled();
    T result =
        Objects.requireNonNull(work.call(), () -> "The work of step '" + name + "' answered null");
    record(name, node.codec().encode(result));
    return result;
  }

  @Override
  public void once(String name, Effect work) throws Exception {
    once(
        name,
        Boolean.class,
        () -> {
          work.run();
          return Boolean.TRUE;
        });
  }

  private void record(String name, String json) throws InterruptedException {
    journal.record(held, name, json);
    held.steps.put(name, json);
  }

  @Override
  public void progress(long done, long total, @Nullable String text) {
    Progress progress = new Progress(done, total, text);
    held.progress = progress;
    progressBoard.post(held.fence(), progress);
  }

  @Override
  public void spawn(StartRequest child) {
    children.add(starts.child(given(child, "The request for a child"), held.origin, held.id()));
  }

  @Override
  public Children children() {
    return held.children;
  }

  @Override
  public <T> List<T> fromChildren(String variable, Class<T> type) {
    return node.store().queries().childVariables(held.id(), variable).stream()
        .map(json -> node.codec().decode(json, type))
        .toList();
  }

  @Override
  public Optional<ReceivedSignal> signal(String name) {
    for (Signal signal : held.inbox) {
      if (signal.kind() == Signal.Kind.SIGNAL && signal.name().equals(name)) {
        consumed.add(signal.id());
        return Optional.of(new Received(signal, node.codec()));
      }
    }
    return Optional.empty();
  }

  Map<String, @Nullable String> changed() {
    return changed;
  }

  List<NewInstance> spawned() {
    return children;
  }

  Set<Long> consumed() {
    return consumed;
  }

  /** The variables with this attempt's changes. */
  Map<String, String> variables() {
    Map<String, String> all = new HashMap<>(held.variables);
    changed.forEach((name, json) -> {
      if (json == null) {
        all.remove(name);
      } else {
        all.put(name, json);
      }
    });
    return all;
  }

  private record Received(Signal signal, Codec codec) implements ReceivedSignal {
    @Override
    public String name() {
      return signal.name();
    }

    @Override
    public <T> T payload(Class<T> type) {
      if (signal.payload() == null) {
        throw new CodecException(
            "Signal '"
                + signal.name()
                + "' to instance "
                + signal.instanceId()
                + " came without payload, but a handler asks for a "
                + type.getName()
                + ".",
            null);
      }
      return codec.decode(signal.payload(), type);
    }

    @Override
    public boolean hasPayload() {
      return signal.payload() != null;
    }

    @Override
    public Instant sentAt() {
      return signal.sent().at();
    }

    @Override
    public @Nullable String actor() {
      return signal.sent().actor();
    }
  }
}
