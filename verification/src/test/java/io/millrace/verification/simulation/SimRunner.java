package io.millrace.verification.simulation;

import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Runner;
import io.millrace.lifecycle.RunningTask;
import io.millrace.lifecycle.Waiter;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** The runner of one simulated engine's threads. */
final class SimRunner implements Runner {

  private static final Duration SLICE = Duration.ofMillis(10);

  private final SimulationKernel simulationKernel;
  private final SimHost simHost;
  private final Consumer<Throwable> onFault;

  /**
   * @param onFault receives exceptions of loops and tasks, which must not throw any
   */
  SimRunner(SimulationKernel simulationKernel, SimHost simHost, Consumer<Throwable> onFault) {
    this.simulationKernel = simulationKernel;
    this.simHost = simHost;
    this.onFault = onFault;
  }

  @Override
  public Loop loop(String name, Loop.Work work) {
    return new SimLoop(name, work);
  }

  @Override
  public RunningTask run(String name, Runnable task) {
    SimProcess process = simulationKernel.spawn(simHost, name, () -> guarded(task));
    return new RunningTask() {
      @Override
      public void interrupt() {
        process.interrupt();
      }

      @Override
      public List<StackTraceElement> stackTrace() {
        return List.of();
      }
    };
  }

  @Override
  public Waiter waiter() {
    return new SimWaiter();
  }

  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (SimulatedCrash e) {
      throw e;
    } catch (Throwable fault) {
      onFault.accept(fault);
    }
  }

  private final class SimWaiter implements Waiter {
    private boolean called;
    private SimProcess resting;

    @Override
    public boolean await(Duration limit) throws InterruptedException {
      if (!called && !limit.isZero()) {
        resting = simulationKernel.current();
        try {
          resting.restInterruptibly(limit);
        } finally {
          resting = null;
        }
      }
      boolean woken = called;
      called = false;
      return woken;
    }

    @Override
    public void wake() {
      called = true;
      if (resting != null) {
        resting.wake();
      }
    }
  }

  private final class SimLoop implements Loop {
    private final Work work;
    private final SimWaiter waiter = new SimWaiter();
    private final SimProcess process;
    private boolean stopped;

    SimLoop(String name, Work work) {
      this.work = work;
      this.process = simulationKernel.spawn(simHost, name, this::turn);
    }

    private void turn() {
      while (!stopped) {
        Duration[] rest = {Duration.ofSeconds(1)};
        guarded(() -> rest[0] = work.tick());
        try {
          waiter.await(rest[0]);
        } catch (InterruptedException e) {
          onFault.accept(e);
        }
      }
    }

    @Override
    public void wake() {
      waiter.wake();
    }

    @Override
    public boolean stop(Duration patience) {
      stopped = true;
      waiter.wake();
      SimProcess caller = simulationKernel.current();
      long end = simulationKernel.now() + patience.toNanos();
      while (caller != process && !process.ended() && simulationKernel.now() < end) {
        caller.rest(SLICE);
      }
      return caller == process || process.ended();
    }
  }
}
