package io.millrace.verification.support;

import io.millrace.store.AuditStore;
import io.millrace.store.ChangeStore;
import io.millrace.store.ContinuousStore;
import io.millrace.store.DefinitionStore;
import io.millrace.store.ExecutorStore;
import io.millrace.store.HintChannel;
import io.millrace.store.InstanceStore;
import io.millrace.store.KeyValueStore;
import io.millrace.store.LogStore;
import io.millrace.store.OperatorStore;
import io.millrace.store.OutboxStore;
import io.millrace.store.PeriodLedgerStore;
import io.millrace.store.QueryStore;
import io.millrace.store.ReduceStore;
import io.millrace.store.RetentionStore;
import io.millrace.store.SequenceStore;
import io.millrace.store.StatisticsStore;
import io.millrace.store.Store;
import io.millrace.store.StoreException;
import io.millrace.store.TaskStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A store between engine and database that loses requests and replies where a test says so.
 * Thread-safe.
 */
public final class FaultyStore implements Store {

  /** The kinds of faults. */
  public enum Fault {
    /** A request that never arrives. */
    LOST_REQUEST,
    /** A request that is executed, but whose caller sees an error. */
    LOST_REPLY,
    /** A request whose data the database rejects. */
    REFUSED
  }

  private record Plan(
      String method, Fault fault, Predicate<Object[]> condition, Runnable first, Runnable last) {}

  private final Store store;
  private final List<Plan> plans = new CopyOnWriteArrayList<>();
  private volatile boolean setDown;

  public FaultyStore(Store store) {
    this.store = store;
  }

  /** Makes the next call of the method fail. */
  public void failNext(String method, Fault fault) {
    failNext(method, fault, args -> true);
  }

  /** Makes the next call of the method with matching arguments fail. */
  public void failNext(String method, Fault fault, Predicate<Object[]> condition) {
    plans.add(new Plan(method, fault, condition, () -> {}, () -> {}));
  }

  /** Runs an action just before the next call of the method, which then proceeds as usual. */
  public void before(String method, Runnable action) {
    plans.add(new Plan(method, null, args -> true, action, () -> {}));
  }

  /** Runs an action while the reply of the next matching call of the method is on its way. */
  public void beforeReply(String method, Predicate<Object[]> condition, Runnable action) {
    plans.add(new Plan(method, null, condition, () -> {}, action));
  }

  /** Runs an action with the arguments of each call of the method, which then proceeds as usual. */
  public void watch(String method, Consumer<Object[]> watcher) {
    plans.add(
        new Plan(
            method,
            null,
            args -> {
              watcher.accept(args);
              return false;
            },
            () -> {},
            () -> {}));
  }

  /** Loses every request while {@code away} is true. */
  public void setDown(boolean away) {
    setDown = away;
  }

  private <T> T guard(Class<T> role, T target) {
    return role.cast(
        Proxy.newProxyInstance(
            role.getClassLoader(),
            new Class<?>[] {role},
            (proxy, method, args) -> call(target, method, args == null ? new Object[0] : args)));
  }

  private Object call(Object target, Method method, Object[] args) throws Throwable {
    Plan plan = take(method.getName(), args);
    if (plan != null) {
      plan.first.run();
    }
    Fault fault = plan == null ? null : plan.fault;
    if (setDown || fault == Fault.LOST_REQUEST) {
      throw new StoreException(
          "planned: the request of " + method.getName() + " was lost", false, null);
    }
    if (fault == Fault.REFUSED) {
      throw new StoreException("planned: " + method.getName() + " was refused", true, null);
    }
    Object result = invoke(target, method, args);
    if (plan != null) {
      plan.last.run();
    }
    if (fault == Fault.LOST_REPLY) {
      throw new StoreException(
          "planned: the reply of " + method.getName() + " was lost", false, null);
    }
    return result;
  }

  private Plan take(String method, Object[] args) {
    for (Plan plan : List.copyOf(plans)) {
      if (plan.method.equals(method) && plan.condition.test(args) && plans.remove(plan)) {
        return plan;
      }
    }
    return null;
  }

  private static Object invoke(Object target, Method method, Object[] args) throws Throwable {
    try {
      return method.invoke(target, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @Override
  public DefinitionStore definitions() {
    return guard(DefinitionStore.class, store.definitions());
  }

  @Override
  public ExecutorStore executors() {
    return guard(ExecutorStore.class, store.executors());
  }

  @Override
  public InstanceStore instances() {
    return guard(InstanceStore.class, store.instances());
  }

  @Override
  public OperatorStore operators() {
    return guard(OperatorStore.class, store.operators());
  }

  @Override
  public OutboxStore outbox() {
    return guard(OutboxStore.class, store.outbox());
  }

  @Override
  public QueryStore queries() {
    return store.queries();
  }

  @Override
  public RetentionStore retention() {
    return guard(RetentionStore.class, store.retention());
  }

  @Override
  public LogStore logs() {
    return guard(LogStore.class, store.logs());
  }

  @Override
  public AuditStore audit() {
    return store.audit();
  }

  @Override
  public ChangeStore changes() {
    return store.changes();
  }

  @Override
  public StatisticsStore statistics() {
    return store.statistics();
  }

  @Override
  public TaskStore tasks() {
    return guard(TaskStore.class, store.tasks());
  }

  @Override
  public SequenceStore sequences() {
    return guard(SequenceStore.class, store.sequences());
  }

  @Override
  public ContinuousStore continuous() {
    return guard(ContinuousStore.class, store.continuous());
  }

  @Override
  public KeyValueStore keyValues() {
    return guard(KeyValueStore.class, store.keyValues());
  }

  @Override
  public PeriodLedgerStore periodLedger() {
    return guard(PeriodLedgerStore.class, store.periodLedger());
  }

  @Override
  public ReduceStore reductions() {
    return guard(ReduceStore.class, store.reductions());
  }

  @Override
  public HintChannel hints() {
    return store.hints();
  }

  @Override
  public boolean interruptible() {
    return store.interruptible();
  }

  @Override
  public void close() {
    store.close();
  }
}
