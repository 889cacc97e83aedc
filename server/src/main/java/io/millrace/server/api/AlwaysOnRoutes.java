package io.millrace.server.api;

import static io.millrace.server.http.Method.DELETE;
import static io.millrace.server.http.Method.GET;
import static io.millrace.server.http.Method.POST;
import static io.millrace.server.http.Method.PUT;
import static io.millrace.server.security.Permission.OPERATOR;
import static io.millrace.server.security.Permission.VIEWER;

import io.millrace.continuous.ContinuousWorkflows;
import io.millrace.server.http.Method;
import io.millrace.server.http.Param;
import io.millrace.server.http.Route;
import io.millrace.server.security.Permission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The table of operations on continuous workflows. */
final class AlwaysOnRoutes {

  private static final String ALL = "/always-on";
  private static final String ONE = ALL + "/{name}";

  private final List<Route> routes = new ArrayList<>();
  private final String base;

  private AlwaysOnRoutes(String base) {
    this.base = base;
  }

  static List<Route> of(Sources sources, String base) {
    AlwaysOnRoutes table = new AlwaysOnRoutes(base);
    AlwaysOnWorkflows all = new AlwaysOnWorkflows(sources);
    table.looks(all);
    table.deeds(all);
    return List.copyOf(table.routes);
  }

  private void looks(AlwaysOnWorkflows all) {
    add(
        GET,
        ALL,
        "listAlwaysOn",
        VIEWER,
        all::list,
        AlwaysOnWorkflows.GROUP,
        AlwaysOnWorkflows.DESIRED,
        AlwaysOnWorkflows.EXECUTOR,
        AlwaysOnWorkflows.TEXT,
        AlwaysOnWorkflows.TROUBLED,
        AlwaysOnWorkflows.AFTER,
        Instances.LIMIT);
    add(GET, ONE, "getAlwaysOn", VIEWER, all::get);
    add(
        GET,
        ONE + "/events",
        "listAlwaysOnEvents",
        VIEWER,
        all::events,
        AlwaysOnWorkflows.BEFORE,
        Instances.LIMIT);
  }

  private void deeds(AlwaysOnWorkflows all) {
    Route.Handler restart = all.simple(ContinuousWorkflows::restart);
    Route.Handler continueNow = all.simple(ContinuousWorkflows::continueNow);
    Route.Handler debug = all.simple(ContinuousWorkflows::debug);
    Param<?> key = Starts.IDEMPOTENCY_KEY;
    add(PUT, ONE + "/desired", "desireAlwaysOn", OPERATOR, all::desire);
    add(POST, ONE + "/restart", "restartAlwaysOn", OPERATOR, restart);
    add(POST, ONE + "/continue", "continueAlwaysOn", OPERATOR, continueNow);
    add(POST, ONE + "/move", "moveAlwaysOn", OPERATOR, all::move);
    add(PUT, ONE + "/debug", "debugAlwaysOn", OPERATOR, debug);
    add(DELETE, ONE + "/debug", "endDebugAlwaysOn", OPERATOR, all::endDebug);
    add(POST, ONE + "/run", "runAlwaysOn", OPERATOR, all::run);
    add(POST, "/triggers/{name}", "offerEvent", OPERATOR, all::offer, key);
  }

  private void add(
      Method method,
      String path,
      String operationId,
      Permission permission,
      Route.Handler handler,
      Param<?>... params) {
    routes.add(
        new Route(method, base + path, operationId, permission, Arrays.asList(params), handler));
  }
}
