package io.millrace.server.api;

import static io.millrace.server.http.HttpMethod.DELETE;
import static io.millrace.server.http.HttpMethod.GET;
import static io.millrace.server.http.HttpMethod.POST;
import static io.millrace.server.http.HttpMethod.PUT;
import static io.millrace.server.security.Permission.OPERATOR;
import static io.millrace.server.security.Permission.VIEWER;

import io.millrace.continuous.ContinuousWorkflowService;
import io.millrace.server.http.HttpMethod;
import io.millrace.server.http.Param;
import io.millrace.server.http.Route;
import io.millrace.server.security.Permission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The table of operations on continuous workflows. */
final class ContinuousRoutes {

  private static final String ALL = "/continuous-workflows";
  private static final String ONE = ALL + "/{name}";

  private final List<Route> routes = new ArrayList<>();
  private final String base;

  private ContinuousRoutes(String base) {
    this.base = base;
  }

  static List<Route> of(ApiContext context, String base) {
    ContinuousRoutes table = new ContinuousRoutes(base);
    ContinuousResource all = new ContinuousResource(context);
    table.looks(all);
    table.actions(all);
    return List.copyOf(table.routes);
  }

  private void looks(ContinuousResource all) {
    add(
        GET,
        ALL,
        "listContinuousWorkflow",
        VIEWER,
        all::list,
        ContinuousResource.GROUP,
        ContinuousResource.ENABLED,
        ContinuousResource.EXECUTOR,
        ContinuousResource.TEXT,
        ContinuousResource.UNHEALTHY,
        ContinuousResource.AFTER,
        InstanceResource.LIMIT);
    add(GET, ONE, "getContinuousWorkflow", VIEWER, all::get);
    add(
        GET,
        ONE + "/log",
        "listContinuousLog",
        VIEWER,
        all::log,
        ContinuousResource.BEFORE,
        InstanceResource.LIMIT);
  }

  private void actions(ContinuousResource all) {
    Route.Handler enable = all.simple(ContinuousWorkflowService::enable);
    Route.Handler disable = all.simple(ContinuousWorkflowService::disable);
    Route.Handler restart = all.simple(ContinuousWorkflowService::restart);
    Route.Handler continueNow = all.simple(ContinuousWorkflowService::continueNow);
    Route.Handler debug = all.simple(ContinuousWorkflowService::debug);
    Param<?> key = StartResource.IDEMPOTENCY_KEY;
    add(POST, ONE + "/enable", "enableContinuousWorkflow", OPERATOR, enable);
    add(POST, ONE + "/disable", "disableContinuousWorkflow", OPERATOR, disable);
    add(POST, ONE + "/restart", "restartContinuousWorkflow", OPERATOR, restart);
    add(POST, ONE + "/continue", "continueContinuousWorkflow", OPERATOR, continueNow);
    add(POST, ONE + "/move", "moveContinuousWorkflow", OPERATOR, all::move);
    add(PUT, ONE + "/debug", "debugContinuousWorkflow", OPERATOR, debug);
    add(DELETE, ONE + "/debug", "endDebugContinuousWorkflow", OPERATOR, all::endDebug);
    add(POST, ONE + "/run", "runContinuousWorkflow", OPERATOR, all::run);
    add(POST, "/triggers/{name}", "offerEvent", OPERATOR, all::offer, key);
  }

  private void add(
      HttpMethod httpMethod,
      String path,
      String operationId,
      Permission permission,
      Route.Handler handler,
      Param<?>... params) {
    routes.add(
        new Route(
            httpMethod, base + path, operationId, permission, Arrays.asList(params), handler));
  }
}
