package io.millrace.verification.simulation;

import io.millrace.instance.WorkflowInstance;
import io.millrace.store.AuditStore;
import io.millrace.store.ChangeStore;
import io.millrace.store.ChannelClaimResult;
import io.millrace.store.ClaimResult;
import io.millrace.store.DefinitionStore;
import io.millrace.store.ExecutorStore;
import io.millrace.store.HintChannel;
import io.millrace.store.InstanceStore;
import io.millrace.store.LogStore;
import io.millrace.store.NewInstance;
import io.millrace.store.OperatorStore;
import io.millrace.store.QueryStore;
import io.millrace.store.RetentionStore;
import io.millrace.store.SaveRequest;
import io.millrace.store.StartResult;
import io.millrace.store.StatisticsStore;
import io.millrace.store.Store;
import io.millrace.store.StoreException;
import io.millrace.store.TaskStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The database as one simulated machine sees it: every request takes time and may be lost, executed
 * without an answer, or executed long after its caller has timed out. A request that is on its way
 * arrives even if its sender has been killed.
 */
final class SimStore implements Store {

  /** Time that a request waits for a lock, as in the SQL store. */
  private static final Duration LOCK_WAIT = Duration.ofMillis(20);

  /**
   * Time from which a request is slow; several in a row take longer than a stopping executor waits.
   */
  private static final Duration SLOW = Duration.ofMillis(500);

  private final SimulationKernel simulationKernel;
  private final SimNetwork simNetwork;
  private final SimHost simHost;
  private final Store database;
  private final boolean slowBooks;
  private final boolean interruptible;
  private final SimJournal simJournal;
  private long blockedUntil;
  private long deafUntil;
  private boolean hadFailures;
  private int slowUnderWay;
  private int underWay;

  private static final class Answer {
    private boolean arrived;
    private Object result;
    private Throwable fault;
  }

  /**
   * @param slowBooks false to answer requests for definitions and tasks at once: threads that look
   *     them up keep others waiting, which simulated threads cannot
   */
  SimStore(
      SimulationKernel simulationKernel,
      SimNetwork simNetwork,
      SimHost simHost,
      Store database,
      boolean slowBooks,
      SimJournal simJournal) {
    this.simulationKernel = simulationKernel;
    this.simNetwork = simNetwork;
    this.simHost = simHost;
    this.database = database;
    this.slowBooks = slowBooks;
    this.interruptible = simulationKernel.random.nextBoolean();
    this.simJournal = simJournal;
  }

  /** Loses all requests of this machine for some time. */
  void block(Duration time) {
    blockedUntil = simulationKernel.now() + time.toNanos();
  }

  /** Loses all replies to this machine for some time. */
  void dropReplies(Duration time) {
    deafUntil = simulationKernel.now() + time.toNanos();
  }

  void mend() {
    blockedUntil = 0;
    deafUntil = 0;
  }

  /**
   * True if a request has failed since the last call of this method, was slow, or is still on its
   * way.
   */
  boolean hadFailures() {
    boolean result = hadFailures || underWay > 0 || slowUnderWay > 0;
    hadFailures = false;
    return result;
  }

  private <T> T onNetwork(Class<T> role, T target) {
    return role.cast(
        Proxy.newProxyInstance(
            role.getClassLoader(),
            new Class<?>[] {role},
            (proxy, method, args) -> call(target, method, args)));
  }

  private Object call(Object target, Method method, Object[] args) throws Throwable {
    SimProcess caller = simulationKernel.current();
    SimNetwork.Fate fate =
        simulationKernel.now() < blockedUntil ? SimNetwork.Fate.LOST_REQUEST : simNetwork.fate();
    Duration there = simNetwork.delay();
    Duration back = simNetwork.delay();
    boolean slow = there.plus(back).compareTo(SLOW) > 0;
    slowUnderWay += slow ? 1 : 0;
    try {
      return call(target, method, args, caller, new Journey(fate, there, back));
    } finally {
      slowUnderWay -= slow ? 1 : 0;
      hadFailures |= slow;
    }
  }

  /** The fate of a request, and the delays of the request and of its reply. */
  private record Journey(SimNetwork.Fate fate, Duration there, Duration back) {}

  private Object call(
      Object target, Method method, Object[] args, SimProcess caller, Journey journey)
      throws Throwable {
    SimNetwork.Fate fate = journey.fate;
    Duration there = journey.there;
    Duration back = journey.back;
    Duration error = simNetwork.errorAfter();
    Answer answer = new Answer();
    SaveRequest data = dataIn(args);
    if (data != null && simNetwork.refuses(data)) {
      caller.rest(there.plus(back));
      throw new StoreException("the data are refused", true, null);
    }
    if (simNetwork.blocks(externalIds(args))) {
      caller.rest(there.plus(LOCK_WAIT).plus(back));
      throw StoreException.blocked(
          "an open transaction is in the way", new IllegalStateException());
    }
    if (fate != SimNetwork.Fate.LOST_REQUEST) {
      boolean late = fate == SimNetwork.Fate.LATE;
      Duration arrival = late ? error.plus(simNetwork.detour()) : there;
      underWay++;
      simulationKernel.after(
          arrival,
          () -> {
            hadFailures |= late;
            arrive(target, method, args, answer);
          });
    }
    caller.rest(fate == SimNetwork.Fate.FINE ? there.plus(back) : error);
    boolean answered =
        fate == SimNetwork.Fate.FINE && answer.arrived && simulationKernel.now() >= deafUntil;
    if (!answered) {
      if (fate == SimNetwork.Fate.FINE) {
        caller.rest(error);
      }
      hadFailures = true;
      simulationKernel.note(
          simHost, "no answer", () -> method.getName() + " " + Arrays.deepToString(args));
      throw new StoreException(method.getName() + " has no answer", false, null);
    }
    if (answer.fault != null) {
      throw answer.fault;
    }
    note(answer.result);
    return answer.result;
  }

  /**
   * Returns the transition that a database may reject, which is one whose handler set variables;
   * null for all other requests.
   */
  private static SaveRequest dataIn(Object[] args) {
    return args != null
            && args[0] instanceof List<?> list
            && list.size() == 1
            && list.getFirst() instanceof SaveRequest saveRequest
            && !saveRequest.changes().variables().isEmpty()
        ? saveRequest
        : null;
  }

  /** Returns the external ids that a request inserts. */
  private static List<String> externalIds(Object[] args) {
    List<String> ids = new ArrayList<>();
    if (args != null && args.length > 0 && args[0] instanceof List<?> list) {
      for (Object one : list) {
        if (one instanceof SaveRequest saveRequest) {
          saveRequest.changes().children().forEach(child -> ids.add(child.origin().externalId()));
        } else if (one instanceof NewInstance instance) {
          ids.add(instance.origin().externalId());
        }
      }
    }
    return ids;
  }

  private void arrive(Object target, Method method, Object[] args, Answer answer) {
    underWay--;
    if (simNetwork.databaseIsDown()) {
      return;
    }
    answer.arrived = true;
    if (simHost.dead() && method.getName().equals("renew")) {
      simJournal.renewedAfterDeath();
    }
    try {
      answer.result = method.invoke(target, args);
    } catch (InvocationTargetException e) {
      answer.fault = e.getCause();
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
    simulationKernel.note(
        simHost, method.getName(), () -> Arrays.deepToString(args) + " -> " + outcome(answer));
  }

  private static Object outcome(Answer answer) {
    return answer.fault == null ? answer.result : answer.fault;
  }

  private void note(Object result) {
    if (result instanceof ClaimResult claim) {
      claim
          .claimed()
          .forEach(c ->
              simJournal.claimed(simHost, c.instance().id(), c.instance().lease().leaseVersion()));
    } else if (result instanceof List<?> results) {
      for (Object one : results) {
        if (one instanceof StartResult.Created created) {
          simJournal.claimed(simHost, created.id(), 1);
        } else if (one instanceof ChannelClaimResult.Claimed claimed) {
          WorkflowInstance instance = claimed.claimed().instance();
          simJournal.claimed(simHost, instance.id(), instance.lease().leaseVersion());
        }
      }
    }
  }

  @Override
  public DefinitionStore definitions() {
    return slowBooks
        ? onNetwork(DefinitionStore.class, database.definitions())
        : database.definitions();
  }

  @Override
  public ExecutorStore executors() {
    return onNetwork(ExecutorStore.class, database.executors());
  }

  @Override
  public InstanceStore instances() {
    return onNetwork(InstanceStore.class, database.instances());
  }

  @Override
  public OperatorStore operators() {
    return onNetwork(OperatorStore.class, database.operators());
  }

  @Override
  public QueryStore queries() {
    return onNetwork(QueryStore.class, database.queries());
  }

  @Override
  public RetentionStore retention() {
    return onNetwork(RetentionStore.class, database.retention());
  }

  @Override
  public LogStore logs() {
    return onNetwork(LogStore.class, database.logs());
  }

  @Override
  public AuditStore audit() {
    return onNetwork(AuditStore.class, database.audit());
  }

  @Override
  public ChangeStore changes() {
    return onNetwork(ChangeStore.class, database.changes());
  }

  @Override
  public StatisticsStore statistics() {
    return onNetwork(StatisticsStore.class, database.statistics());
  }

  @Override
  public <R> R role(Class<R> type) {
    R target = database.role(type);
    return slowBooks || type != TaskStore.class ? onNetwork(type, target) : target;
  }

  @Override
  public HintChannel hints() {
    return new HintChannel() {
      @Override
      public void publish(String executorGroup) {
        simNetwork.hint(simHost);
      }

      @Override
      public Subscription subscribe(String executorGroup, Runnable onHint) {
        simNetwork.listen(simHost, onHint);
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
