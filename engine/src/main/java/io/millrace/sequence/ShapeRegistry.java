package io.millrace.sequence;

import io.millrace.codec.Codec;
import io.millrace.instance.InvalidRequestException;
import io.millrace.store.ScheduleStore.Step;
import io.millrace.store.ScheduleStore.StoredWorkflow;
import io.millrace.store.StoreException;
import io.millrace.store.TaskStore;
import io.millrace.store.TaskStore.StoredShape;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shapes of all nodes, and which of them this node can run. A shape of which a component is
 * missing here is left to other nodes, and tried again at every look. Thread-safe.
 */
final class ShapeRegistry {

  private static final Logger LOG = LoggerFactory.getLogger(ShapeRegistry.class);
  private static final int PAGE = 500;

  private record Key(String type, int version) {}

  /** A shape of which something is missing here. */
  record Unrunnable(Shape shape, int version) {}

  private record Undefined(StoredShape stored, Shape shape) {
    Key key() {
      return new Key(stored.type(), stored.version());
    }
  }

  private final TaskStore store;
  private final Codec codec;
  private final Components components;
  private final SequenceCompiler compiler;
  private final SequenceHost host;

  /** Only those that this node has tried to define: whoever finds one here may start it. */
  private final Map<Key, Shape> shapes = new ConcurrentHashMap<>();

  private final Map<Integer, Undefined> missing = new ConcurrentSkipListMap<>();

  /** Why this node cannot run a shape that is in {@link #missing}. */
  private final Map<Key, String> reasons = new ConcurrentHashMap<>();

  private final Set<Integer> described = ConcurrentHashMap.newKeySet();
  private final Set<String> told = ConcurrentHashMap.newKeySet();
  private final Set<String> channels = ConcurrentHashMap.newKeySet();
  private final Set<String> types = ConcurrentHashMap.newKeySet();
  private final Set<String> foreign = ConcurrentHashMap.newKeySet();
  private int last;

  ShapeRegistry(
      TaskStore store,
      Codec codec,
      Components components,
      SequenceCompiler compiler,
      SequenceHost host) {
    this.store = store;
    this.codec = codec;
    this.components = components;
    this.compiler = compiler;
    this.host = host;
  }

  /** Learns of new shapes, and tries again to run those of which something was missing. */
  synchronized void look() {
    List<StoredShape> page;
    do {
      page = store.shapesAfter(last, PAGE);
      for (StoredShape stored : page) {
        Shape shape = codec.decode(stored.document(), Shape.class);
        missing.put(stored.id(), new Undefined(stored, shape));
        types.add(stored.type());
        last = Math.max(last, stored.id());
      }
    } while (page.size() == PAGE);
    for (Undefined next : List.copyOf(missing.values())) {
      if (isDefined(next.stored, next.shape)) {
        missing.remove(next.stored.id());
        reasons.remove(next.key());
      }
      shapes.put(next.key(), next.shape);
    }
  }

  private boolean isDefined(StoredShape stored, Shape shape) {
    try {
      for (Shape.Place place : shape.places()) {
        components.find(place.task());
      }
      if (foreign.contains(shape.type())
          || !host.define(compiler.compile(shape, stored.version(), components::find))) {
        leaveOut(stored);
        return true;
      }
    } catch (InvalidRequestException e) {
      reasons.put(new Key(stored.type(), stored.version()), String.valueOf(e.getMessage()));
      describe(stored, shape);
      if (told.add(e.getMessage())) {
        LOG.warn(
            "Sequences of type {} version {} are left to other nodes: {}",
            stored.type(),
            stored.version(),
            e.getMessage());
      }
      return false;
    } catch (StoreException e) {
      throw e;
    } catch (RuntimeException e) {
      // One that cannot be compiled must keep neither the engine nor the others from running.
      reasons.put(new Key(stored.type(), stored.version()), "Its tasks cannot be compiled: " + e);
      if (told.add(stored.type() + " " + stored.version() + " " + e)) {
        LOG.error(
            "Sequences of type {} version {} cannot be compiled here, and are left to other nodes",
            stored.type(),
            stored.version(),
            e);
      }
      return false;
    }
    for (Shape.Place place : shape.places()) {
      if (place.task().channel() != null) {
        channels.add(place.task().channel());
      }
    }
    return true;
  }

  /** Its instances would be run by the code of another workflow; no look can change that. */
  private void leaveOut(StoredShape stored) {
    foreign.add(stored.type());
    LOG.error(
        "Sequences of type '{}' version {} are not run here, for this engine has another workflow of"
            + " this type and version; give that one, or the tasks, another type",
        stored.type(),
        stored.version());
  }

  private void describe(StoredShape stored, Shape shape) {
    if (!described.contains(stored.id())) {
      host.describe(compiler.compile(shape, stored.version(), task -> ShapeRegistry::missing));
      described.add(stored.id());
    }
  }

  private static TaskHandler missing() {
    throw new IllegalStateException("a definition that is only described is not run");
  }

  /** The stored form of a shape, which this node runs from now on if it can. */
  StoredShape register(Shape shape) {
    String document = shape.document(codec);
    StoredShape stored =
        store.shape(shape.type(), Shape.fingerprint(document), document, shape.states());
    if (!shapes.containsKey(new Key(stored.type(), stored.version()))) {
      look();
    }
    return stored;
  }

  /**
   * True when instances of this shape can be made without asking the database; inside of a
   * transaction there may be no second connection for that.
   */
  boolean knows(String type, @Nullable Integer version) {
    return version != null && !isForeign(type) && shapes.containsKey(new Key(type, version));
  }

  /** The shape of this number; null when there is none. */
  @Nullable Shape find(String type, int version) {
    Key key = new Key(type, version);
    Shape known = shapes.get(key);
    if (known == null) {
      look();
      known = shapes.get(key);
    }
    return known;
  }

  /** True when the shape of this version has the task as it is. */
  boolean has(String type, @Nullable Integer version, RegisteredTask task) {
    Shape shape = version == null ? null : find(type, version);
    return shape != null
        && shape.places().stream()
            .filter(place -> place.taskId() == task.id())
            .allMatch(place -> place.task().equals(task.task()));
  }

  /** True when a workflow has all of its tasks as they are. */
  boolean isCurrent(StoredWorkflow row, List<RegisteredTask> tasks) {
    Set<Integer> own = row.steps().stream().map(Step::taskId).collect(Collectors.toSet());
    return tasks.stream()
        .filter(task -> own.contains(task.id()))
        .allMatch(task -> has(row.type(), row.shape(), task));
  }

  /** True when there are sequences of this type, and this engine has no other code for it. */
  boolean hasType(String type) {
    return types.contains(type) && !isForeign(type);
  }

  /** True when this engine has code of its own for the type, which sequences must not run. */
  boolean isForeign(String type) {
    return foreign.contains(type);
  }

  /**
   * Checks that sequences of the type may be run here.
   *
   * @throws RefusedException when they would be run by the code of another workflow
   */
  void requireOwn(String type) {
    if (isForeign(type)) {
      throw new RefusedException(
          "Workflows of tasks of the type '"
              + type
              + "' cannot be run here, for this engine has another workflow of that type. Give that"
              + " one, or the tasks, another type.");
    }
  }

  /** Why this node cannot run the shape; null when it can, or does not know the shape. */
  @Nullable String problem(String type, int version) {
    return reasons.get(new Key(type, version));
  }

  /** The newest shapes that this node cannot run. */
  List<Unrunnable> unrunnable(int limit) {
    return missing.values().stream()
        .sorted(Comparator.<Undefined>comparingInt(one -> one.stored.id()).reversed())
        .limit(limit)
        .map(one -> new Unrunnable(one.shape, one.stored.version()))
        .toList();
  }

  /** The channels of all tasks that this node runs. */
  Collection<String> channels() {
    return new TreeSet<>(channels);
  }
}
