package io.millrace.tests.secret;

import io.millrace.Engine;
import io.millrace.fixtures.TestDatabase;

/** A process that runs the scenario and logs all it can. */
final class SecretLoggingProcess {

  private SecretLoggingProcess() {}

  public static void main(String[] args) {
    System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "trace");
    try (TestDatabase database = TestDatabase.h2()) {
      String seen = new SecretScenario().run(Engine.builder().dataSource(database.pool()));
      System.out.println("ended: " + seen.lines().count());
    }
  }
}
