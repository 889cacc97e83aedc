package io.millrace.server.api;

import io.millrace.Engine;
import io.millrace.WorkflowClient;
import io.millrace.lifecycle.EngineClock;

/**
 * Where the resources get their facts from.
 *
 * @param group the executor group of the engine
 * @param clock of the engine
 */
record Sources(Engine engine, String group, EngineClock clock) {

  WorkflowClient client() {
    return engine.client();
  }
}
