package io.millrace.verification.simulation;

import io.millrace.instance.WorkflowInstance;
import io.millrace.store.AlwaysOnStore;
import io.millrace.store.AuditStore;
import io.millrace.store.ChangeStore;
import io.millrace.store.ClaimResult;
import io.millrace.store.DefinitionStore;
import io.millrace.store.ExecutorStore;
import io.millrace.store.FireStore;
import io.millrace.store.Hints;
import io.millrace.store.KeyValueStore;
import io.millrace.store.LogStore;
import io.millrace.store.NewInstance;
import io.millrace.store.OperatorStore;
import io.millrace.store.OutboxStore;
import io.millrace.store.QueryStore;
import io.millrace.store.ReduceStore;
import io.millrace.store.RetentionStore;
import io.millrace.store.Save;
import io.millrace.store.ScheduleStore;
import io.millrace.store.StartResult;
import io.millrace.store.StatisticsStore;
import io.millrace.store.Store;
import io.millrace.store.StoreException;
import io.millrace.store.TakeResult;
import io.millrace.store.TaskStore;
import io.millrace.store.WorkStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The database as one simulated machine sees it: every request takes time and may be lost, carried
 * out without an answer, or carried out when its caller has long given up. A request that is under
 * way arrives even when its sender has been killed.
 */
final class Wire implements Store {

  /** As in the SQL store. */
  private static final Duration LOCK_WAIT = Duration.ofMillis(20);

  private final Kernel kernel;
  private final Network network;
  private final Host host;
  private final Store database;
  private final boolean slowBooks;
  private final boolean interruptible;
  private final Journal journal;
  private long blockedUntil;
  private long deafUntil;
  private boolean troubled;
  private int underWay;

  private static final class Answer {
    private boolean arrived;
    private Object result;
    private Throwable fault;
  }

  /**
   * @param slowBooks false to have definitions and tasks answered at once: they are looked up by
   *     threads that keep others waiting meanwhile, which simulated threads cannot
   */
  Wire(
      Kernel kernel,
      Network network,
      Host host,
      Store database,
      boolean slowBooks,
      Journal journal) {
    this.kernel = kernel;
    this.network = network;
    this.host = host;
    this.database = database;
    this.slowBooks = slowBooks;
    this.interruptible = kernel.random.nextBoolean();
    this.journal = journal;
  }

  /** Requests of this machine are lost for some time. */
  void block(Duration time) {
    blockedUntil = kernel.now() + time.toNanos();
  }

  /** Replies to this machine are lost for some time. */
  void deafen(Duration time) {
    deafUntil = kernel.now() + time.toNanos();
  }

  void mend() {
    blockedUntil = 0;
    deafUntil = 0;
  }

  /** True when a request has failed since the last time this was asked, or is still under way. */
  boolean troubled() {
    boolean result = troubled || underWay > 0;
    troubled = false;
    return result;
  }

  private <T> T role(Class<T> role, T target) {
    return role.cast(
        Proxy.newProxyInstance(
            role.getClassLoader(),
            new Class<?>[] {role},
            (proxy, method, args) -> call(target, method, args)));
  }

  private Object call(Object target, Method method, Object[] args) throws Throwable {
    SimProcess caller = kernel.current();
    Network.Fate fate = kernel.now() < blockedUntil ? Network.Fate.LOST_REQUEST : network.fate();
    Duration there = network.delay();
    Duration back = network.delay();
    Duration error = network.errorAfter();
    Answer answer = new Answer();
    Save data = dataIn(args);
    if (data != null && network.refuses(data)) {
      caller.rest(there.plus(back));
      throw new StoreException("the data are refused", true, null);
    }
    if (network.blocks(externalIds(args))) {
      caller.rest(there.plus(LOCK_WAIT).plus(back));
      throw StoreException.blocked(
          "an open transaction is in the way", new IllegalStateException());
    }
    if (fate != Network.Fate.LOST_REQUEST) {
      boolean late = fate == Network.Fate.LATE;
      Duration arrival = late ? error.plus(network.detour()) : there;
      underWay++;
      kernel.after(
          arrival,
          () -> {
            troubled |= late;
            arrive(target, method, args, answer);
          });
    }
    caller.rest(fate == Network.Fate.FINE ? there.plus(back) : error);
    boolean answered = fate == Network.Fate.FINE && answer.arrived && kernel.now() >= deafUntil;
    if (!answered) {
      if (fate == Network.Fate.FINE) {
        caller.rest(error);
      }
      troubled = true;
      kernel.note(host, "no answer", () -> method.getName() + " " + Arrays.deepToString(args));
      throw new StoreException(method.getName() + " has no answer", false, null);
    }
    if (answer.fault != null) {
      throw answer.fault;
    }
    note(answer.result);
    return answer.result;
  }

  /** What a database may refuse: a transition whose handler set variables; null for all else. */
  private static Save dataIn(Object[] args) {
    return args != null
            && args[0] instanceof List<?> list
            && list.size() == 1
            && list.getFirst() instanceof Save save
            && !save.changes().variables().isEmpty()
        ? save
        : null;
  }

  /** Returns the external ids that a request inserts. */
  private static List<String> externalIds(Object[] args) {
    List<String> ids = new ArrayList<>();
    if (args != null && args.length > 0 && args[0] instanceof List<?> list) {
      for (Object one : list) {
        if (one instanceof Save save) {
          save.changes().children().forEach(child -> ids.add(child.origin().externalId()));
        } else if (one instanceof NewInstance instance) {
          ids.add(instance.origin().externalId());
        }
      }
    }
    return ids;
  }

  private void arrive(Object target, Method method, Object[] args, Answer answer) {
    underWay--;
    if (network.databaseIsDown()) {
      return;
    }
    answer.arrived = true;
    if (host.dead() && method.getName().equals("renew")) {
      journal.renewedAfterDeath();
    }
    try {
      answer.result = method.invoke(target, args);
    } catch (InvocationTargetException e) {
      answer.fault = e.getCause();
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
    kernel.note(host, method.getName(), () -> Arrays.deepToString(args) + " -> " + outcome(answer));
  }

  private static Object outcome(Answer answer) {
    return answer.fault == null ? answer.result : answer.fault;
  }

  private void note(Object result) {
    if (result instanceof ClaimResult claim) {
      claim
          .claimed()
          .forEach(
              c -> journal.claimed(host, c.instance().id(), c.instance().lease().leaseVersion()));
    } else if (result instanceof List<?> results) {
      for (Object one : results) {
        if (one instanceof StartResult.Created created) {
          journal.claimed(host, created.id(), 1);
        } else if (one instanceof TakeResult.Taken taken) {
          WorkflowInstance instance = taken.claimed().instance();
          journal.claimed(host, instance.id(), instance.lease().leaseVersion());
        }
      }
    }
  }

  @Override
  public DefinitionStore definitions() {
    return slowBooks ? role(DefinitionStore.class, database.definitions()) : database.definitions();
  }

  @Override
  public ExecutorStore executors() {
    return role(ExecutorStore.class, database.executors());
  }

  @Override
  public WorkStore work() {
    return role(WorkStore.class, database.work());
  }

  @Override
  public OperatorStore operators() {
    return role(OperatorStore.class, database.operators());
  }

  @Override
  public OutboxStore outbox() {
    return role(OutboxStore.class, database.outbox());
  }

  @Override
  public QueryStore queries() {
    return role(QueryStore.class, database.queries());
  }

  @Override
  public RetentionStore retention() {
    return role(RetentionStore.class, database.retention());
  }

  @Override
  public LogStore logs() {
    return role(LogStore.class, database.logs());
  }

  @Override
  public AuditStore audit() {
    return role(AuditStore.class, database.audit());
  }

  @Override
  public ChangeStore changes() {
    return role(ChangeStore.class, database.changes());
  }

  @Override
  public StatisticsStore statistics() {
    return role(StatisticsStore.class, database.statistics());
  }

  @Override
  public TaskStore tasks() {
    return slowBooks ? role(TaskStore.class, database.tasks()) : database.tasks();
  }

  @Override
  public ScheduleStore schedules() {
    return role(ScheduleStore.class, database.schedules());
  }

  @Override
  public AlwaysOnStore alwaysOn() {
    return role(AlwaysOnStore.class, database.alwaysOn());
  }

  @Override
  public KeyValueStore keyValues() {
    return role(KeyValueStore.class, database.keyValues());
  }

  @Override
  public FireStore fires() {
    return role(FireStore.class, database.fires());
  }

  @Override
  public ReduceStore reductions() {
    return role(ReduceStore.class, database.reductions());
  }

  @Override
  public Hints hints() {
    return new Hints() {
      @Override
      public void publish(String executorGroup) {
        network.hint(host);
      }

      @Override
      public Subscription subscribe(String executorGroup, Runnable onHint) {
        network.listen(host, onHint);
        return () -> {};
      }
    };
  }

  @Override
  public boolean interruptible() {
    return interruptible;
  }

  @Override
  public void close() {}
}
