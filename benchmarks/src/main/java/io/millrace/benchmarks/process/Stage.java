package io.millrace.benchmarks.process;

import io.millrace.benchmarks.peer.Peer;
import io.millrace.benchmarks.peer.Peers;
import io.millrace.benchmarks.postgres.Database;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Map;

/**
 * What a part has to do with: its engine, its database, its settings, and the lines it exchanges
 * with the process that started it.
 */
public final class Stage {

  private final Peers peer;
  private final Database database;
  private final Map<String, String> settings;
  private final BufferedReader in;
  private final PrintStream out;

  Stage(
      Peers peer,
      Database database,
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

  public Database database() {
    return database;
  }

  /** What the workload set for this part. */
  public String setting(String name) {
    String value = settings.get(name);
    if (value == null) {
      throw new IllegalArgumentException("The part was given no setting '" + name + "'.");
    }
    return value;
  }

  /** A setting that is a number. */
  public int number(String name) {
    return Integer.parseInt(setting(name));
  }

  /** Tells the starting process a figure. */
  public void figure(String name, double value) {
    say("figure " + name + " " + value);
  }

  /** Tells the starting process that a point was reached. */
  public void say(String line) {
    synchronized (out) {
      out.println(PartProcess.MARK + line);
      out.flush();
    }
  }

  /** Waits until the starting process says so. */
  public void await(String line) throws IOException {
    String read = in.readLine();
    if (!line.equals(read)) {
      throw new IOException("Expected the line '" + line + "' but got '" + read + "'.");
    }
  }
}
