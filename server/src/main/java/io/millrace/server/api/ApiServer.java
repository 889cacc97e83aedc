package io.millrace.server.api;

import io.millrace.Engine;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineListener;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.server.bulk.BulkWorkflow;
import io.millrace.server.config.HttpConfig;
import io.millrace.server.events.ChangeFeed;
import io.millrace.server.events.EventHub;
import io.millrace.server.http.JavalinServer;
import io.millrace.server.http.Route;
import io.millrace.server.notice.MaintenanceService;
import io.millrace.server.notice.RolloutAnnouncer;
import io.millrace.server.report.ReportService;
import io.millrace.server.security.Guard;
import io.millrace.server.security.SecretNames;
import io.millrace.store.Store;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP interface of an engine. It is created before the engine, since it listens to engine
 * events and contributes workflows, and is opened after the engine.
 */
public final class ApiServer implements AutoCloseable {

  private static final int STREAMS = 500;

  private final EngineRuntime runtime;
  private final StuckHandlerRegistry stuck;
  private final ChangeFeed feed = new ChangeFeed();
  private final RolloutAnnouncer rollouts;
  private final BulkWorkflow bulk = new BulkWorkflow(feed::instanceChanged);
  private List<Route> routes = List.of();
  private @Nullable EventHub hub;
  private @Nullable JavalinServer server;

  /**
   * @param runtime that of the engine
   */
  public ApiServer(EngineRuntime runtime) {
    this.runtime = runtime;
    this.stuck = new StuckHandlerRegistry(runtime.clock());
    this.rollouts =
        new RolloutAnnouncer(task -> runtime.runner().run("millrace-rollout-notice", task));
  }

  /**
   * The parts that the interface serves.
   *
   * @param ready false from the first moment of a stop
   */
  public record Components(
      HttpConfig http,
      Guard guard,
      Engine engine,
      Store store,
      BooleanSupplier ready,
      ServerInfo serverInfo,
      ServerServices services) {}

  /**
   * The services beside the engine.
   *
   * @param flows null where no Redis is configured
   * @param secretNames names whose values no response shows
   * @param failing supplies the names of the health checks of jars that fail now
   */
  public record ServerServices(
      ReportService reports,
      @Nullable FlowServices flows,
      SecretNames secretNames,
      Supplier<List<String>> failing) {}

  /** Returns the listeners to register with the engine. */
  public List<EngineListener> listeners() {
    return List.of(stuck, feed, rollouts);
  }

  /** Returns the workflows to register with the engine. */
  public List<WorkflowDefinition> workflows() {
    return List.of(bulk.definition(), rollouts.workflow());
  }

  /** Opens the interface, which answers requests when this returns. Can be called once only. */
  public void open(Components components) {
    bulk.connect(components.engine().client());
    MaintenanceService maintenanceService = components.serverInfo().notices();
    maintenanceService.connect(components.engine().client());
    rollouts.connect(
        components.engine().client(), components.engine().admin().rollouts(), maintenanceService);
    feed.setSequenceTypes(components.engine().sequences()::hasType);
    EventHub events =
        new EventHub(
            components.store().changes(),
            feed,
            runtime,
            node(components.engine()),
            STREAMS,
            components.guard()::forgetCredentials);
    components.guard().onCredentialsEnded(events::credentialsEnded);
    hub = events;
    ApiContext context =
        new ApiContext(
            components.engine(),
            components.store(),
            runtime.clock(),
            feed,
            stuck,
            components.serverInfo().origins(),
            components.services().secretNames());
    routes = ApiRoutes.routes(context, components, events);
    server =
        JavalinServer.start(
            new JavalinServer.Parts(
                components.http(),
                components.guard(),
                runtime.clock(),
                () -> !components.ready().getAsBoolean()),
            routes);
  }

  private static String node(Engine engine) {
    return "executor " + engine.executorId();
  }

  /** Returns all operations; empty before the interface is open. */
  public List<Route> routes() {
    return routes;
  }

  /** Returns the port that the interface listens on. */
  public int port() {
    if (server == null) {
      throw new IllegalStateException("The HTTP interface is not open.");
    }
    return server.port();
  }

  /** Closes all streams and ends all requests. */
  @Override
  public void close() {
    if (hub != null) {
      hub.close();
    }
    if (server != null) {
      server.close();
    }
  }
}
