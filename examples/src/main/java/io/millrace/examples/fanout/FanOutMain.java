package io.millrace.examples.fanout;

import io.millrace.Engine;
import io.millrace.instance.StartRequest;
import java.io.PrintStream;
import java.time.Duration;
import org.h2.jdbcx.JdbcConnectionPool;

/**
 * A program that squares the numbers from 1 to 1,000 in as many workflow instances and prints their
 * sum.
 */
public final class FanOutMain {

  private static final int CHILDREN = 1000;

  private FanOutMain() {}

  public static void main(String[] args) {
    run(System.out);
  }

  static void run(PrintStream out) {
    JdbcConnectionPool database =
        JdbcConnectionPool.create("jdbc:h2:mem:fanout;DB_CLOSE_DELAY=-1", "", "");
    try (Engine engine =
        Engine.builder().dataSource(database).workflows(FanOut.parent(), FanOut.child()).start()) {
      long id = engine.client().start(StartRequest.of(FanOut.PARENT, CHILDREN)).id();
      engine.client().await(id, Duration.ofMinutes(1));
      long sum = engine.client().variable(id, FanOut.SUM, Long.class).orElseThrow();
      out.println("The squares of 1 to " + CHILDREN + " add up to " + sum + ".");
    } finally {
      database.dispose();
    }
  }
}
