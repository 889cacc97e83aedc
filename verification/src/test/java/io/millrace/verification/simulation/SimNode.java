package io.millrace.verification.simulation;

import io.millrace.Engine;
import io.millrace.EngineBuilder;
import io.millrace.event.EngineEvent;
import io.millrace.instance.Deed;
import io.millrace.instance.DrainRequest;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.lifecycle.EngineState;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.Random;
import java.util.function.Consumer;

/** A simulated machine with an engine on it, which is killed, paused, drained and started again. */
final class SimNode {

  private static final Duration RETRY = Duration.ofSeconds(1);

  private final World world;
  private final String name;
  private Host host;
  private Wire wire;
  private SimClock clock;
  private Engine engine;
  private Long executorId;
  private boolean draining;
  private boolean asked;

  SimNode(World world, String name) {
    this.world = world;
    this.name = name;
    boot();
  }

  private void boot() {
    Host fresh = new Host(world.kernel, name);
    host = fresh;
    engine = null;
    executorId = null;
    draining = false;
    asked = false;
    wire =
        new Wire(
            world.kernel,
            world.network,
            fresh,
            world.database,
            world.sequences == null,
            world.journal);
    clock = new SimClock(world.kernel);
    world.kernel.spawn(fresh, "main", () -> startEngine(fresh));
  }

  private void startEngine(Host mine) {
    while (engine == null) {
      try {
        Workload workload = new Workload(world, this);
        EngineBuilder builder = Engine.builder();
        if (world.sequences != null) {
          world.sequences.addTo(builder, mine);
        }
        if (world.continuous != null) {
          world.continuous.addTo(builder);
        }
        Engine started =
            builder
                .store(wire)
                .workflows(workload.definitions())
                .interceptor(workload)
                .settings(world.settings)
                .warmUp(Duration.ZERO)
                .runtime(
                    new EngineRuntime(
                        clock,
                        new SimRunner(world.kernel, mine, this::fault),
                        new Random(world.kernel.random.nextLong())))
                .listener(event -> heard(mine, event))
                .start();
        engine = started;
        executorId = started.executorId();
      } catch (StoreException e) {
        world.journal.startFailed(mine);
        world.kernel.current().rest(RETRY);
      }
    }
  }

  private void heard(Host speaker, EngineEvent event) {
    if (event instanceof EngineEvent.EngineStarted started) {
      executorId = started.executorId();
    }
    world.journal.event(this, speaker, event);
  }

  private void fault(Throwable thrown) {
    StringBuilder where = new StringBuilder(thrown.toString());
    for (StackTraceElement frame : thrown.getStackTrace()) {
      where.append("\n    at ").append(frame);
    }
    world.journal.violated("engine", name + " threw " + where);
  }

  /**
   * An engine must not take its own accepted write for a foreign one, unless it had been told that
   * this one was refused, and wants to write another.
   */
  void checkFenced(EngineEvent.Fenced fenced) {
    if (world.network.hasRefused(fenced.instanceId())) {
      return;
    }
    world
        .database
        .queries()
        .find(fenced.instanceId())
        .map(i -> i.lease())
        .filter(l -> l.leaseVersion() == fenced.leaseVersion())
        .filter(l -> executorId != null && executorId.equals(l.executorId()))
        .ifPresent(l ->
            world.journal.violated(
                "I1",
                name + " was fenced from instance " + fenced.instanceId() + ", which it holds"));
  }

  Host host() {
    return host;
  }

  long executorId() {
    if (executorId == null) {
      throw new IllegalStateException(name + " has no executor yet");
    }
    return executorId;
  }

  /**
   * Memory is bounded: results that wait to be saved count too, and whatever way instances come,
   * each has its room before it is asked for.
   */
  void checkBound() {
    EngineSettings.Dispatching limits = world.settings.dispatching();
    int held = engine == null ? 0 : engine.held();
    if (held > 2 * (limits.concurrency() + limits.queueSize())) {
      world.journal.violated("I15", name + " holds " + held + " instances, too many for " + limits);
    }
  }

  boolean ready() {
    return engine != null && !host.dead() && !host.paused() && !draining;
  }

  /** Does something in a thread of this machine; {@code then} is called unless it is killed. */
  void call(Consumer<Engine> work, Runnable then) {
    Engine present = engine;
    world.kernel.spawn(
        host,
        "client",
        () -> {
          work.accept(present);
          then.run();
        });
  }

  void kill() {
    if (!host.dead()) {
      world.journal.killed(name);
      host.die();
      world.kernel.after(
          Duration.ofNanos(world.kernel.between(Duration.ofMillis(100), Duration.ofSeconds(10))),
          this::boot);
    }
  }

  void pause(Duration time) {
    Host mine = host;
    if (!mine.dead() && !mine.paused()) {
      world.journal.fault(name, "paused");
      world.journal.paused(mine, time);
      mine.pause();
      world.kernel.after(time, mine::proceed);
    }
  }

  void block(Duration time) {
    world.journal.fault(name, "requests blocked");
    wire.block(time);
  }

  void deafen(Duration time) {
    world.journal.fault(name, "replies blocked");
    wire.deafen(time);
  }

  void jumpClock(Duration error) {
    world.journal.fault(name, "clock jumped");
    clock.jump(error);
  }

  /** As by SIGTERM: the engine is closed, and the machine starts again later. */
  void drain() {
    if (!ready()) {
      return;
    }
    draining = true;
    world.journal.fault(name, "drain");
    Host mine = host;
    Wire line = wire;
    long leaving = executorId();
    line.troubled();
    call(
        Engine::close,
        () -> {
          world.journal.fault(name, "drained");
          if (!asked && !line.troubled() && !world.network.databaseIsDown()) {
            checkDrained(leaving);
          }
          mine.die();
          world.kernel.after(Duration.ofSeconds(1), this::boot);
        });
  }

  /**
   * As by an operator's request: the executor ends while its process goes on, which is closed
   * later. What is left is looked at once, since looking forgets what troubled the line.
   */
  void askToDrain() {
    if (!ready() || asked) {
      return;
    }
    Engine present = engine;
    Wire line = wire;
    long leaving = present.executorId();
    line.troubled();
    asked =
        world.database.executors().requestDrain(leaving, DrainRequest.usual(), Deed.by("nemesis"));
    world.journal.fault(name, "asked to drain");
    world.kernel.spawn(
        host,
        "drain watch",
        () -> {
          while (present.state().compareTo(EngineState.DRAINED) < 0) {
            world.kernel.current().rest(RETRY);
          }
          world.journal.count("drains by request");
          if (!draining && !line.troubled() && !world.network.databaseIsDown()) {
            checkDrained(leaving);
          }
          world.kernel.current().rest(RETRY);
          drain();
        });
  }

  /** True from the request until the machine has been started again. */
  boolean mustDrain() {
    return asked;
  }

  private void checkDrained(long leaving) {
    world.journal.count("drains checked");
    int owned = world.database.executors().owned(leaving).size();
    if (owned > 0) {
      world.journal.violated("I13", name + " drained and still owns " + owned + " instances");
    }
  }

  /** From now on this machine is well. */
  void mend() {
    wire.mend();
    if (host.paused()) {
      world.journal.paused(host, Duration.ZERO);
      host.proceed();
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
