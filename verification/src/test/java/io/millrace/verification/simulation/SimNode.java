package io.millrace.verification.simulation;

import io.millrace.Engine;
import io.millrace.EngineBuilder;
import io.millrace.codec.Codec;
import io.millrace.event.EngineEvent;
import io.millrace.instance.DrainRequest;
import io.millrace.instance.OperatorAction;
import io.millrace.jackson3.Jackson3Codec;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.lifecycle.EngineState;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.Random;
import java.util.function.Consumer;

/** A simulated machine with an engine, which is killed, paused, drained and started again. */
final class SimNode {

  private static final Duration RETRY = Duration.ofSeconds(1);

  /** The codec of all nodes, because each engine would look for one on the class path. */
  private static final Codec CODEC = new Jackson3Codec();

  private final SimWorld simWorld;
  private final String name;
  private SimHost simHost;
  private SimStore simStore;
  private SimClock clock;
  private Engine engine;
  private Long executorId;
  private boolean draining;
  private boolean asked;

  SimNode(SimWorld simWorld, String name) {
    this.simWorld = simWorld;
    this.name = name;
    boot();
  }

  private void boot() {
    SimHost fresh = new SimHost(simWorld.kernel, name);
    simHost = fresh;
    engine = null;
    executorId = null;
    draining = false;
    asked = false;
    simStore =
        new SimStore(
            simWorld.kernel,
            simWorld.network,
            fresh,
            simWorld.database,
            simWorld.sequences == null,
            simWorld.journal);
    clock = new SimClock(simWorld.kernel);
    simWorld.kernel.spawn(fresh, "main", () -> startEngine(fresh));
  }

  private void startEngine(SimHost mine) {
    while (engine == null) {
      try {
        SimWorkflows simWorkflows = new SimWorkflows(simWorld, this);
        EngineBuilder builder = Engine.builder();
        if (simWorld.sequences != null) {
          simWorld.sequences.addTo(builder, mine);
        }
        if (simWorld.continuous != null) {
          simWorld.continuous.addTo(builder);
        }
        Engine started =
            builder
                .store(simStore)
                .workflows(simWorkflows.definitions())
                .codec(CODEC)
                .interceptor(simWorkflows)
                .settings(simWorld.settings)
                .warmUp(Duration.ZERO)
                .runtime(
                    new EngineRuntime(
                        clock,
                        new SimRunner(simWorld.kernel, mine, this::fault),
                        new Random(simWorld.kernel.random.nextLong())))
                .listener(event -> heard(mine, event))
                .start();
        engine = started;
        executorId = started.executorId();
      } catch (StoreException e) {
        simWorld.journal.startFailed(mine);
        simWorld.kernel.current().rest(RETRY);
      }
    }
  }

  private void heard(SimHost speaker, EngineEvent event) {
    if (event instanceof EngineEvent.ExecutorStarted started) {
      executorId = started.executorId();
    }
    simWorld.journal.event(this, speaker, event);
  }

  private void fault(Throwable thrown) {
    StringBuilder where = new StringBuilder(thrown.toString());
    for (StackTraceElement frame : thrown.getStackTrace()) {
      where.append("\n    at ").append(frame);
    }
    simWorld.journal.violated("engine", name + " threw " + where);
  }

  /**
   * Checks that an engine does not take its own accepted write for a foreign one, unless it had
   * been told that this one was rejected and wants to write another.
   */
  void checkFenced(EngineEvent.ResultFenced resultFenced) {
    if (simWorld.network.hasRefused(resultFenced.instanceId())) {
      return;
    }
    simWorld
        .database
        .queries()
        .find(resultFenced.instanceId())
        .map(i -> i.lease())
        .filter(l -> l.leaseVersion() == resultFenced.leaseVersion())
        .filter(l -> executorId != null && executorId.equals(l.executorId()))
        .ifPresent(l ->
            simWorld.journal.violated(
                "I1",
                name
                    + " was fenced from instance "
                    + resultFenced.instanceId()
                    + ", which it holds"));
  }

  SimHost host() {
    return simHost;
  }

  long executorId() {
    if (executorId == null) {
      throw new IllegalStateException(name + " has no executor yet");
    }
    return executorId;
  }

  /**
   * Checks the bound on held instances. Results that wait to be saved count too, and an engine
   * reserves room for each instance before it requests one.
   */
  void checkBound() {
    EngineSettings.Dispatching limits = simWorld.settings.dispatching();
    int held = engine == null ? 0 : engine.leasedInstanceCount();
    if (held > 2 * (limits.concurrency() + limits.queueSize())) {
      simWorld.journal.violated(
          "I15", name + " holds " + held + " instances, too many for " + limits);
    }
  }

  boolean ready() {
    return engine != null && !simHost.dead() && !simHost.paused() && !draining;
  }

  /**
   * Runs an action in a thread of this machine, and then {@code then}, unless the machine is
   * killed.
   */
  void call(Consumer<Engine> work, Runnable then) {
    Engine present = engine;
    simWorld.kernel.spawn(
        simHost,
        "client",
        () -> {
          work.accept(present);
          then.run();
        });
  }

  void kill() {
    if (!simHost.dead()) {
      simWorld.journal.killed(name);
      simHost.die();
      simWorld.kernel.after(
          Duration.ofNanos(simWorld.kernel.between(Duration.ofMillis(100), Duration.ofSeconds(10))),
          this::boot);
    }
  }

  void pause(Duration time) {
    SimHost mine = simHost;
    if (!mine.dead() && !mine.paused()) {
      simWorld.journal.fault(name, "paused");
      simWorld.journal.paused(mine, time);
      mine.pause();
      simWorld.kernel.after(time, mine::resume);
    }
  }

  void block(Duration time) {
    simWorld.journal.fault(name, "requests blocked");
    simStore.block(time);
  }

  void deafen(Duration time) {
    simWorld.journal.fault(name, "replies blocked");
    simStore.dropReplies(time);
  }

  void jumpClock(Duration error) {
    simWorld.journal.fault(name, "clock jumped");
    clock.jump(error);
  }

  /** Closes the engine, as after SIGTERM; the machine starts again later. */
  void drain() {
    if (!ready()) {
      return;
    }
    draining = true;
    simWorld.journal.fault(name, "drain");
    SimHost mine = simHost;
    SimStore line = simStore;
    long leaving = executorId();
    line.hadFailures();
    call(
        Engine::close,
        () -> {
          simWorld.journal.fault(name, "drained");
          if (!asked && !line.hadFailures() && !simWorld.network.databaseIsDown()) {
            checkDrained(leaving);
          }
          mine.die();
          simWorld.kernel.after(Duration.ofSeconds(1), this::boot);
        });
  }

  /**
   * Drains the executor, as at an operator's request, while its process continues; the engine is
   * closed later. Leased instances are checked at once, because checking resets the record of
   * network failures.
   */
  void requestDrain() {
    if (!ready() || asked) {
      return;
    }
    Engine present = engine;
    SimStore line = simStore;
    long leaving = present.executorId();
    line.hadFailures();
    asked =
        simWorld
            .database
            .executors()
            .requestDrain(leaving, DrainRequest.withDefaultGrace(), OperatorAction.by("nemesis"));
    simWorld.journal.fault(name, "asked to drain");
    simWorld.kernel.spawn(
        simHost,
        "drain watch",
        () -> {
          while (present.state().compareTo(EngineState.DRAINED) < 0) {
            simWorld.kernel.current().rest(RETRY);
          }
          simWorld.journal.count("drains by request");
          if (!draining && !line.hadFailures() && !simWorld.network.databaseIsDown()) {
            checkDrained(leaving);
          }
          simWorld.kernel.current().rest(RETRY);
          drain();
        });
  }

  /** True from the request until the machine has been started again. */
  boolean mustDrain() {
    return asked;
  }

  private void checkDrained(long leaving) {
    simWorld.journal.count("drains checked");
    int owned = simWorld.database.executors().ownedInstances(leaving).size();
    if (owned > 0) {
      simWorld.journal.violated("I13", name + " drained and still owns " + owned + " instances");
    }
  }

  /** Ends all faults of this machine. */
  void heal() {
    simStore.mend();
    if (simHost.paused()) {
      simWorld.journal.paused(simHost, Duration.ZERO);
      simHost.resume();
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
