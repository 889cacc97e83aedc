package io.millrace.server.api;

import io.millrace.Admin;
import io.millrace.Engine;
import io.millrace.WorkflowClient;
import io.millrace.lifecycle.EngineClock;
import io.millrace.server.events.ChangeFeed;
import io.millrace.server.security.SecretNames;
import io.millrace.store.Store;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The sources of facts that all resources share.
 *
 * @param clock the engine's clock
 * @param feed receives the changes that callers make
 * @param origins see {@link ServerInfo}
 * @param secretNames names whose values no response shows
 */
record ApiContext(
    Engine engine,
    Store store,
    EngineClock clock,
    ChangeFeed feed,
    StuckHandlerRegistry stuck,
    Function<String, @Nullable String> origins,
    SecretNames secretNames) {

  WorkflowClient client() {
    return engine.client();
  }

  InstanceAccess instances() {
    return new InstanceAccess(client(), secretNames);
  }

  Admin admin() {
    return engine.admin();
  }
}
