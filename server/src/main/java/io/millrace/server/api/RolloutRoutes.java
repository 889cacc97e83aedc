package io.millrace.server.api;

import static io.millrace.server.http.HttpMethod.GET;
import static io.millrace.server.http.HttpMethod.POST;
import static io.millrace.server.http.HttpMethod.PUT;
import static io.millrace.server.security.Permission.ADMIN;
import static io.millrace.server.security.Permission.VIEWER;

import io.millrace.continuous.RolloutService;
import io.millrace.server.http.HttpMethod;
import io.millrace.server.http.Route;
import io.millrace.server.security.Permission;
import java.util.ArrayList;
import java.util.List;

/** The table of operations on rollouts and recycles. */
final class RolloutRoutes {

  private final List<Route> routes = new ArrayList<>();
  private final String base;

  private RolloutRoutes(String base) {
    this.base = base;
  }

  static List<Route> of(ApiContext context, String base) {
    RolloutRoutes table = new RolloutRoutes(base);
    table.rollouts(new RolloutResource(context));
    table.policy(new RecyclePolicyResource(context));
    return List.copyOf(table.routes);
  }

  private void rollouts(RolloutResource runs) {
    String all = "/rollouts";
    String one = all + "/{id}";
    add(GET, all, "listRollouts", VIEWER, runs::list);
    add(POST, all, "startRollout", ADMIN, runs::start);
    add(GET, one, "getRollout", VIEWER, runs::get);
    add(POST, one + "/pause", "pauseRollout", ADMIN, runs.steer(RolloutService::pause));
    add(POST, one + "/resume", "resumeRollout", ADMIN, runs.steer(RolloutService::resume));
    add(POST, one + "/abort", "abortRollout", ADMIN, runs.steer(RolloutService::abort));
  }

  private void policy(RecyclePolicyResource policies) {
    add(GET, "/recycle-policy", "getRecyclePolicy", VIEWER, policies::get);
    add(PUT, "/recycle-policy", "changeRecyclePolicy", ADMIN, policies::change);
  }

  private void add(
      HttpMethod httpMethod,
      String path,
      String operation,
      Permission permission,
      Route.Handler handler) {
    routes.add(new Route(httpMethod, base + path, operation, permission, List.of(), handler));
  }
}
