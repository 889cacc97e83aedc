package io.millrace.verification.simulation;

import io.millrace.Engine;
import io.millrace.instance.ConflictException;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StartedInstance;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The clients: they start instances, repeat calls without an answer, signal, cancel, pause, and
 * after the faults retry instances that wait for an operator.
 */
final class SimClients {

  private static final List<String> TYPES =
      List.of("chain", "chain", "timer", "waiting", "parent", "once", "once", "limited");
  private static final OperatorAction ACTION = OperatorAction.by("client", "simulated");

  /**
   * Interval at which a client checks that the engine it called is alive; it is not told of its
   * death.
   */
  private static final Duration LOOK = Duration.ofSeconds(1);

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final SimWorld simWorld;
  private final SimHost simHost;
  private final Random random;
  private int unfinished;

  /** The answer to a call of a client. */
  private static final class Answer<T> {
    private T value;
    private boolean conflict;
    private boolean done;
  }

  SimClients(SimWorld simWorld) {
    this.simWorld = simWorld;
    this.simHost = new SimHost(simWorld.kernel, "clients");
    this.random = simWorld.kernel.random;
  }

  void begin(int instances) {
    boolean poison = random.nextInt(4) == 0;
    for (int i = 0; i < instances; i++) {
      String type = poison && i == 0 ? "poison" : TYPES.get(random.nextInt(TYPES.size()));
      String token = "t" + i;
      unfinished++;
      simWorld.kernel.spawn(simHost, token, () -> live(type, token));
    }
  }

  /** True if all clients have finished their calls. */
  boolean done() {
    return unfinished == 0;
  }

  private void live(String type, String token) {
    rest(Duration.ofMillis(random.nextInt(15_000)));
    boolean external = random.nextInt(10) < 7 || type.equals("waiting");
    Long id = start(request(type, token, external), token, external);
    if (id != null) {
      if (external && random.nextInt(4) == 0) {
        start(request(type, token, true), token, true);
      }
      if (type.equals("waiting")) {
        signal(id, "first");
        signal(id, "second");
      }
      meddle(id, type);
    }
    unfinished--;
  }

  private StartRequest request(String type, String token, boolean external) {
    StartRequest request = type.equals("parent") ? StartRequest.of(type, 3) : StartRequest.of(type);
    request = request.businessKey(token).priority(random.nextInt(3));
    return external ? request.externalId(token) : request;
  }

  /**
   * Starts an instance and returns its id, or null if the id is unknown. Only a start with an
   * external id may be repeated.
   */
  private Long start(StartRequest request, String token, boolean external) {
    simWorld.journal.asked.add(token);
    if (external && simWorld.transactions && random.nextInt(4) == 0) {
      simWorld.holdKey(token);
    }
    do {
      Answer<StartedInstance> answer = ask(engine -> engine.client().start(request));
      if (answer.value != null) {
        simWorld.journal.count("starts acknowledged");
        simWorld.journal.acknowledged.add(new SimJournal.Acknowledged(token, answer.value.id()));
        return answer.value.id();
      }
      simWorld.journal.count("starts unknown");
      rest(Duration.ofMillis(500));
    } while (external);
    return null;
  }

  private void signal(long id, String key) {
    rest(Duration.ofMillis(random.nextInt(4_000)));
    repeat(engine -> engine.client().signal(id, SimWorkflows.SIGNAL, 1, "client", key));
  }

  private void meddle(long id, String type) {
    rest(Duration.ofMillis(random.nextInt(6_000)));
    switch (random.nextInt(12)) {
      case 0 -> repeat(engine -> engine.client().cancel(id, ACTION));
      case 1, 2 -> {
        repeat(engine -> engine.client().pause(id, ACTION));
        rest(Duration.ofMillis(random.nextInt(3_000)));
        repeat(engine -> engine.client().resume(id, ACTION));
      }
      case 3 -> {
        if (!type.equals("timer")) {
          repeat(engine -> engine.client().wake(id, ACTION));
        }
      }
      default -> {}
    }
  }

  /** Repeats a call until it has an answer, which may be a rejection. */
  private void repeat(Consumer<Engine> call) {
    for (Answer<Boolean> answer = new Answer<>(); answer.value == null && !answer.conflict; ) {
      answer =
          ask(engine -> {
            call.accept(engine);
            return true;
          });
    }
  }

  /** Calls an engine in a process of its own; the result is empty if no answer came. */
  private <T> Answer<T> ask(Function<Engine, T> call) {
    Answer<T> answer = new Answer<>();
    SimNode node = simWorld.readyNode();
    if (node != null) {
      SimHost asked = node.host();
      SimProcess asking = simWorld.kernel.current();
      node.call(
          engine -> fill(answer, engine, call),
          () -> {
            answer.done = true;
            asking.wake();
          });
      long end = simWorld.kernel.now() + PATIENCE.toNanos();
      while (!answer.done && !asked.dead() && simWorld.kernel.now() < end) {
        rest(LOOK);
      }
    } else {
      rest(Duration.ofSeconds(1));
    }
    return answer;
  }

  private static <T> void fill(Answer<T> answer, Engine engine, Function<Engine, T> call) {
    try {
      answer.value = call.apply(engine);
    } catch (ConflictException e) {
      answer.conflict = true;
    } catch (StoreException e) {
      // no answer: the call may or may not have been executed
    }
  }

  /** Retries instances that wait for an operator, except for poison instances. */
  void retryParked(List<WorkflowInstance> all) {
    for (WorkflowInstance one : all) {
      if (one.status() == InstanceStatus.PAUSED) {
        simWorld.kernel.spawn(
            simHost, "operator", () -> repeat(engine -> engine.client().resume(one.id(), ACTION)));
      } else if (one.status() == InstanceStatus.MANUAL && !one.type().equals("poison")) {
        simWorld.journal.count("innocents parked");
        simWorld.checkParked(one);
        simWorld.kernel.spawn(
            simHost, "operator", () -> repeat(engine -> engine.client().retry(one.id(), ACTION)));
      }
    }
  }

  private void rest(Duration time) {
    simWorld.kernel.current().rest(time);
  }
}
