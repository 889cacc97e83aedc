package io.millrace.server.api;

import static io.millrace.server.http.Method.GET;
import static io.millrace.server.http.Method.PATCH;
import static io.millrace.server.http.Method.POST;
import static io.millrace.server.security.Permission.OPERATOR;
import static io.millrace.server.security.Permission.PUBLIC;
import static io.millrace.server.security.Permission.VIEWER;

import io.millrace.Engine;
import io.millrace.WorkflowClient;
import io.millrace.lifecycle.EngineClock;
import io.millrace.server.http.Method;
import io.millrace.server.http.Param;
import io.millrace.server.http.Route;
import io.millrace.server.security.Permission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** The table of all operations. */
public final class Api {

  private static final String BASE = "/api/v1";

  private final List<Route> routes = new ArrayList<>();

  private Api() {}

  /**
   * What the resources need.
   *
   * @param group the engine's executor group
   * @param stuck listens to the engine
   */
  public record Parts(
      Engine engine, String group, EngineClock clock, StuckBoard stuck, AtomicBoolean stopping) {}

  /** The routes of all operations. */
  public static List<Route> routes(Parts parts) {
    Api api = new Api();
    api.health(parts);
    api.instances(parts);
    api.deeds(parts);
    api.surroundings(parts);
    return List.copyOf(api.routes);
  }

  private void health(Parts parts) {
    Health health = new Health(parts.engine().client(), parts.stopping());
    Contract contract = new Contract();
    add(GET, "/health/live", "live", PUBLIC, health::live);
    add(GET, "/health/ready", "ready", PUBLIC, health::ready);
    add(GET, "/openapi.yaml", "contract", PUBLIC, contract::get);
  }

  private void instances(Parts parts) {
    WorkflowClient client = parts.engine().client();
    Instances instances = new Instances(client, parts.stuck());
    Histories histories = new Histories(client);
    add(
        GET,
        "/instances",
        "listInstances",
        VIEWER,
        instances::list,
        filtered(Instances.LIMIT, Instances.CURSOR));
    add(
        GET,
        "/instances/count",
        "countInstances",
        VIEWER,
        instances::count,
        filtered(Instances.CAP));
    add(GET, "/instances/{id}", "getInstance", VIEWER, instances::get);
    add(
        GET,
        "/instances/{id}/actions",
        "listActions",
        VIEWER,
        histories::actions,
        Histories.AFTER,
        Histories.LIMIT);
    add(GET, "/instances/{id}/variables", "listVariables", VIEWER, histories::variables);
    add(GET, "/instances/{id}/signals", "listSignals", VIEWER, histories::signals, Histories.LIMIT);
  }

  private void deeds(Parts parts) {
    WorkflowClient client = parts.engine().client();
    Starts starts = new Starts(client);
    Deeds deeds = new Deeds(client);
    String one = "/instances/{id}";
    add(POST, "/instances", "startInstance", OPERATOR, starts::start, Starts.IDEMPOTENCY_KEY);
    add(POST, one + "/signals", "signal", OPERATOR, starts::signal, Starts.IDEMPOTENCY_KEY);
    add(PATCH, one + "/variables", "editVariables", OPERATOR, deeds::editVariables);
    add(POST, one + "/wake", "wake", OPERATOR, deeds.simple(WorkflowClient::wake));
    add(POST, one + "/cancel", "cancel", OPERATOR, deeds.simple(WorkflowClient::cancel));
    add(POST, one + "/pause", "pause", OPERATOR, deeds.simple(WorkflowClient::pause));
    add(POST, one + "/resume", "resume", OPERATOR, deeds.simple(WorkflowClient::resume));
    add(POST, one + "/retry", "retry", OPERATOR, deeds.simple(WorkflowClient::retry));
    add(POST, one + "/move", "move", OPERATOR, deeds::move);
  }

  private void surroundings(Parts parts) {
    Sources sources = new Sources(parts.engine(), parts.group(), parts.clock());
    Definitions definitions = new Definitions(sources);
    Executors executors = new Executors(sources);
    Overviews overviews = new Overviews(sources, executors);
    add(GET, "/definitions", "listDefinitions", VIEWER, definitions::list);
    add(GET, "/definitions/{type}", "getDefinition", VIEWER, definitions::get, Definitions.VERSION);
    add(GET, "/executors", "listExecutors", VIEWER, executors::list);
    add(GET, "/overview", "overview", VIEWER, overviews::overview, Overviews.RANGE);
  }

  private void add(
      Method method,
      String path,
      String operationId,
      Permission permission,
      Route.Handler handler,
      Param<?>... params) {
    routes.add(
        new Route(method, BASE + path, operationId, permission, Arrays.asList(params), handler));
  }

  private static Param<?>[] filtered(Param<?>... more) {
    List<Param<?>> all = new ArrayList<>(Filters.PARAMS);
    all.addAll(Arrays.asList(more));
    return all.toArray(Param<?>[]::new);
  }
}
