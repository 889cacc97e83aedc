package io.millrace.examples.infrequent;

import io.millrace.Engine;
import io.millrace.instance.StartRequest;
import java.io.PrintStream;
import java.time.Duration;
import java.time.ZoneOffset;
import org.h2.jdbcx.JdbcConnectionPool;

/** A program that asks twice on a day for work that runs once a day. */
public final class InfrequentMain {

  private static final String NAME = "close-the-day";

  private InfrequentMain() {}

  public static void main(String[] args) {
    run(System.out);
  }

  static void run(PrintStream out) {
    JdbcConnectionPool database =
        JdbcConnectionPool.create("jdbc:h2:mem:infrequent;DB_CLOSE_DELAY=-1", "", "");
    try (Engine engine =
        Engine.builder()
            .dataSource(database)
            .continuous(
                InfrequentWork.withKey(
                    NAME, ZoneOffset.UTC, day -> out.println("The day is closed.")))
            .start()) {
      for (int i = 0; i < 2; i++) {
        long id = engine.client().start(StartRequest.of(NAME)).id();
        engine.client().await(id, Duration.ofMinutes(1));
      }
      out.println("It was asked for twice.");
    } finally {
      database.dispose();
    }
  }
}
