package io.millrace.lifecycle;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The process that an engine runs in. Thread-safe. */
public interface HostProcess {

  /** Returns the uptime. */
  Duration uptime();

  /** Returns the used percentage of the heap after its last collection; null if unknown. */
  @Nullable Integer heapPercent();

  /** Returns the maximum number of bytes of the heap; {@code Long.MAX_VALUE} if unknown. */
  default long maxHeap() {
    return Long.MAX_VALUE;
  }

  /** Returns the background loops of the process that have failed; empty if none has. */
  default List<LoopFailure> loopFailures() {
    return List.of();
  }

  /** Returns a process whose uptime starts now. */
  default HostProcess withUptimeReset() {
    HostProcess whole = this;
    Duration before = uptime();
    return new HostProcess() {
      @Override
      public Duration uptime() {
        return whole.uptime().minus(before);
      }

      @Override
      public @Nullable Integer heapPercent() {
        return whole.heapPercent();
      }

      @Override
      public long maxHeap() {
        return whole.maxHeap();
      }

      @Override
      public List<LoopFailure> loopFailures() {
        return whole.loopFailures();
      }
    };
  }

  /** Returns a process that has just started and reports nothing, for tests. */
  static HostProcess unknown() {
    return new HostProcess() {
      @Override
      public Duration uptime() {
        return Duration.ZERO;
      }

      @Override
      public @Nullable Integer heapPercent() {
        return null;
      }
    };
  }

  /** Returns this process. */
  static HostProcess system() {
    return new HostProcess() {
      @Override
      public Duration uptime() {
        return Duration.ofMillis(ManagementFactory.getRuntimeMXBean().getUptime());
      }

      @Override
      public @Nullable Integer heapPercent() {
        return afterCollection();
      }

      @Override
      public long maxHeap() {
        return Runtime.getRuntime().maxMemory();
      }

      @Override
      public List<LoopFailure> loopFailures() {
        return LoopSupervisor.failures();
      }
    };
  }

  /**
   * Returns the usage after a collection, in the pools that report it; usage before one includes
   * garbage.
   */
  private static @Nullable Integer afterCollection() {
    long used = 0;
    boolean told = false;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      MemoryUsage usage = pool.getType() == MemoryType.HEAP ? pool.getCollectionUsage() : null;
      if (usage != null) {
        told |= usage.getCommitted() > 0;
        used += usage.getUsed();
      }
    }
    long most = Runtime.getRuntime().maxMemory();
    return !told || most == Long.MAX_VALUE ? null : (int) Math.min(100, used * 100 / most);
  }
}
