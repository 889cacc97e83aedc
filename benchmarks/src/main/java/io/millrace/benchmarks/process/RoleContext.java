package io.millrace.benchmarks.process;

import io.millrace.benchmarks.peer.Peer;
import io.millrace.benchmarks.peer.PeerKind;
import io.millrace.benchmarks.postgres.BenchmarkDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Map;

/**
 * The environment of a role: its engine, its database, its settings, and the lines it exchanges
 * with the process that started it.
 */
public final class RoleContext {

  private final PeerKind peer;
  private final BenchmarkDatabase database;
  private final Map<String, String> settings;
  private final BufferedReader in;
  private final PrintStream out;

  RoleContext(
      PeerKind peer,
      BenchmarkDatabase database,
      Map<String, String> settings,
      BufferedReader in,
      PrintStream out) {
    this.peer = peer;
    this.database = database;
    this.settings = settings;
    this.in = in;
    this.out = out;
  }

  public Peer peer() {
    return peer.create();
  }

  public BenchmarkDatabase database() {
    return database;
  }

  /** Returns a setting that the workload passed to this role. */
  public String setting(String name) {
    String value = settings.get(name);
    if (value == null) {
      throw new IllegalArgumentException("The part was given no setting '" + name + "'.");
    }
    return value;
  }

  /** Returns a setting as a number. */
  public int number(String name) {
    return Integer.parseInt(setting(name));
  }

  /** Reports a figure to the starting process. */
  public void recordMeasurement(String name, double value) {
    say("figure " + name + " " + value);
  }

  /** Sends a line to the starting process, for example that a point was reached. */
  public void say(String line) {
    synchronized (out) {
      out.println(RoleProcess.MARK + line);
      out.flush();
    }
  }

  /** Waits until the starting process sends the given line. */
  public void await(String line) throws IOException {
    String read = in.readLine();
    if (!line.equals(read)) {
      throw new IOException("Expected the line '" + line + "' but got '" + read + "'.");
    }
  }
}
