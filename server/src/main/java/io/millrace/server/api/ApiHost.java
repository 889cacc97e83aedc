package io.millrace.server.api;

import io.millrace.Engine;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineListener;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.server.bulk.BulkWorkflow;
import io.millrace.server.config.Http;
import io.millrace.server.events.ChangeFeed;
import io.millrace.server.events.EventHub;
import io.millrace.server.http.HttpServer;
import io.millrace.server.http.Route;
import io.millrace.server.notice.Notices;
import io.millrace.server.notice.RolloutNotices;
import io.millrace.server.report.Reports;
import io.millrace.server.security.Guard;
import io.millrace.server.security.SecretNames;
import io.millrace.store.Store;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP interface of an engine. Made before the engine, since it listens to it and brings
 * workflows of its own; opened after it.
 */
public final class ApiHost implements AutoCloseable {

  private static final int STREAMS = 500;

  private final EngineRuntime runtime;
  private final StuckBoard stuck;
  private final ChangeFeed feed = new ChangeFeed();
  private final RolloutNotices rollouts;
  private final BulkWorkflow bulk = new BulkWorkflow(feed::instance);
  private List<Route> routes = List.of();
  private @Nullable EventHub hub;
  private @Nullable HttpServer server;

  /**
   * @param runtime that of the engine
   */
  public ApiHost(EngineRuntime runtime) {
    this.runtime = runtime;
    this.stuck = new StuckBoard(runtime.clock());
    this.rollouts =
        new RolloutNotices(task -> runtime.runner().run("millrace-rollout-notice", task));
  }

  /**
   * What it serves.
   *
   * @param ready false from the first moment of a stop
   */
  public record Parts(
      Http http,
      Guard guard,
      Engine engine,
      Store store,
      BooleanSupplier ready,
      Surroundings surroundings,
      Beside beside) {}

  /**
   * What is served beside the engine.
   *
   * @param flows null where no Redis is configured
   * @param secretNames whose values no answer shows
   * @param failing the names of the health checks of jars that fail now
   */
  public record Beside(
      Reports reports,
      @Nullable FlowDesk flows,
      SecretNames secretNames,
      Supplier<List<String>> failing) {}

  /** To be given to the engine. */
  public List<EngineListener> listeners() {
    return List.of(stuck, feed, rollouts);
  }

  /** To be given to the engine. */
  public List<WorkflowDefinition> workflows() {
    return List.of(bulk.definition(), rollouts.workflow());
  }

  /** Opens it; it answers when this returns. Once only. */
  public void open(Parts parts) {
    bulk.connect(parts.engine().client());
    Notices notices = parts.surroundings().notices();
    notices.connect(parts.engine().client());
    rollouts.connect(parts.engine().client(), parts.engine().nodes().rollouts(), notices);
    feed.sequencesHave(parts.engine().sequences()::hasType);
    EventHub events =
        new EventHub(parts.store().changes(), feed, runtime, node(parts.engine()), STREAMS);
    hub = events;
    Sources sources =
        new Sources(
            parts.engine(),
            parts.store(),
            runtime.clock(),
            feed,
            stuck,
            parts.surroundings().origins(),
            parts.beside().secretNames());
    routes = Api.routes(sources, parts, events);
    server =
        HttpServer.start(
            new HttpServer.Parts(
                parts.http(), parts.guard(), runtime.clock(), () -> !parts.ready().getAsBoolean()),
            routes);
  }

  private static String node(Engine engine) {
    return "executor " + engine.executorId();
  }

  /** All operations; none before it is open. */
  public List<Route> routes() {
    return routes;
  }

  /** The port that it listens on. */
  public int port() {
    if (server == null) {
      throw new IllegalStateException("The HTTP interface is not open.");
    }
    return server.port();
  }

  /** Ends all streams and requests. */
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
