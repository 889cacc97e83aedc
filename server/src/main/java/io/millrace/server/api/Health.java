package io.millrace.server.api;

import io.millrace.WorkflowClient;
import io.millrace.instance.InstanceQuery;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Whether the process is alive and ready. */
final class Health {

  /** Whoever asks, the database is asked once a second. */
  private static final Duration AGE = Duration.ofSeconds(1);

  private final BooleanSupplier isReady;
  private final Cached<Boolean> database;
  private final Supplier<List<String>> failing;

  /**
   * @param ready false from the first moment of a stop
   * @param failing the names of the health checks of jars that fail now
   */
  Health(Sources sources, BooleanSupplier ready, Supplier<List<String>> failing) {
    this.failing = failing;
    this.isReady = ready;
    this.database = new Cached<>(sources.clock(), AGE, () -> answers(sources.client()));
  }

  private static boolean answers(WorkflowClient client) {
    try {
      client.search(InstanceQuery.all().limit(1));
      return true;
    } catch (StoreException e) {
      return false;
    }
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
    if (!database.get()) {
      return down("The database does not answer.");
    }
    List<String> checks = failing.get();
    return checks.isEmpty()
        ? Answer.json(new HealthView("up", "The database answers."))
        : down("Health checks of jars fail: " + String.join(", ", checks) + ".");
  }

  private static Answer down(String detail) {
    return new Answer.Json(503, new HealthView("down", detail));
  }
}
