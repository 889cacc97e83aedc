package io.millrace.server.api;

import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.store.Store;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The health of the process: liveness and readiness. */
final class HealthResource {

  /** Time for which the state of the database is kept, however often it is requested. */
  private static final Duration AGE = Duration.ofSeconds(1);

  private final BooleanSupplier isReady;
  private final CachedSupplier<Boolean> database;
  private final Supplier<List<String>> failing;

  /**
   * @param ready false from the first moment of a stop
   * @param failing the names of the health checks of jars that fail now
   */
  HealthResource(ApiContext context, BooleanSupplier ready, Supplier<List<String>> failing) {
    this.failing = failing;
    this.isReady = ready;
    this.database = new CachedSupplier<>(context.clock(), AGE, () -> takesWrites(context.store()));
  }

  private static boolean takesWrites(Store store) {
    try {
      store.checkWritable();
      return true;
    } catch (StoreException e) {
      return false;
    }
  }

  /** Schema Health. */
  record HealthView(String status, @Nullable String detail) {}

  ApiResponse live(ApiRequest request) {
    return ApiResponse.json(new HealthView("up", "The process is alive."));
  }

  ApiResponse ready(ApiRequest request) {
    if (!isReady.getAsBoolean()) {
      return down("The server starts or stops.");
    }
    if (!database.get()) {
      return down("The database does not answer, or takes no writes.");
    }
    List<String> checks = failing.get();
    return checks.isEmpty()
        ? ApiResponse.json(new HealthView("up", "The database answers and takes writes."))
        : down("Health checks of jars fail: " + String.join(", ", checks) + ".");
  }

  private static ApiResponse down(String detail) {
    return new ApiResponse.Json(503, new HealthView("down", detail));
  }
}
