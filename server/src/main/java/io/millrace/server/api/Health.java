package io.millrace.server.api;

import io.millrace.WorkflowClient;
import io.millrace.instance.InstanceQuery;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.store.StoreException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Whether the process is alive and ready. */
final class Health {

  private final WorkflowClient client;
  private final BooleanSupplier isReady;

  /**
   * @param ready false from the first moment of a stop
   */
  Health(WorkflowClient client, BooleanSupplier ready) {
    this.client = client;
    this.isReady = ready;
  }

  /** Schema Health. */
  record HealthView(String status, @Nullable String detail) {}

  Answer live(Call call) {
    return Answer.json(new HealthView("up", "The process is alive."));
  }

  Answer ready(Call call) {
    if (!isReady.getAsBoolean()) {
      return down("The server starts or stops.");
    }
    try {
      client.search(InstanceQuery.all().limit(1));
      return Answer.json(new HealthView("up", "The database answers."));
    } catch (StoreException e) {
      return down("The database does not answer.");
    }
  }

  private static Answer down(String detail) {
    return new Answer.Json(503, new HealthView("down", detail));
  }
}
