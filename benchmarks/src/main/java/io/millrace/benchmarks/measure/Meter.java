package io.millrace.benchmarks.measure;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.millrace.benchmarks.postgres.BenchmarkDatabase;
import java.lang.management.ManagementFactory;
import java.sql.SQLException;

/** A meter that reads all counters when it is created and again at {@link #stop()}. */
public final class Meter {

  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final BenchmarkDatabase database;
  private final ServerCpu serverCpu;
  private final long wal;
  private final double server;
  private final long allocated;
  private final long java;
  private final long nanos;

  private Meter(BenchmarkDatabase database) throws SQLException {
    this.database = database;
    this.serverCpu = new ServerCpu(database.serverPid());
    this.wal = walPosition();
    this.server = serverCpu.millis();
    this.allocated = THREADS.getTotalThreadAllocatedBytes();
    this.java = SYSTEM.getProcessCpuTime();
    this.nanos = System.nanoTime();
  }

  public static Meter start(BenchmarkDatabase database) throws SQLException {
    return new Meter(database);
  }

  /** Returns the usage since the start. */
  public ResourceUsage stop() throws SQLException {
    double seconds = (System.nanoTime() - nanos) / 1e9;
    double javaMillis = (SYSTEM.getProcessCpuTime() - java) / 1e6;
    long allocatedBytes = THREADS.getTotalThreadAllocatedBytes() - allocated;
    double serverMillis = serverCpu.millis() - server;
    return new ResourceUsage(
        seconds, javaMillis, serverMillis, walPosition() - wal, allocatedBytes);
  }

  private long walPosition() throws SQLException {
    return database.number("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn");
  }
}
