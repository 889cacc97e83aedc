package io.millrace.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The processor time of a server: of its first process, of its live child processes, and of those
 * that have ended, which the first process accounts for. Available on Linux only.
 *
 * @param pid process id of the first process
 */
record ServerCpu(long pid) {

  /** Length of a tick; Linux reports hundredths of a second here, whatever the processor. */
  private static final double MILLIS_PER_TICK = 10;

  /** Index of the times in {@code /proc/PID/stat} after the name, which may contain spaces. */
  private static final int OWN_TIMES = 11;

  double millis() {
    double all = ticks(pid, 4);
    try (Stream<ProcessHandle> children =
        ProcessHandle.of(pid).map(ProcessHandle::children).orElseGet(Stream::empty)) {
      all += children.mapToDouble(c -> ticks(c.pid(), 2)).filter(Double::isFinite).sum();
    }
    return all * MILLIS_PER_TICK;
  }

  /**
   * Returns the sum of the first {@code count} of: user, system, user of ended children, system of
   * ended children.
   */
  private static double ticks(long process, int count) {
    try {
      String stat = Files.readString(Path.of("/proc", "" + process, "stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      double sum = 0;
      for (int i = 0; i < count; i++) {
        sum += Long.parseLong(fields[OWN_TIMES + i]);
      }
      return sum;
    } catch (IOException e) {
      return Double.NaN;
    }
  }
}
