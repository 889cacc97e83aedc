package io.millrace.server.api;

import static io.millrace.server.http.Method.GET;
import static io.millrace.server.http.Method.POST;
import static io.millrace.server.http.Method.PUT;
import static io.millrace.server.security.Permission.ADMIN;
import static io.millrace.server.security.Permission.VIEWER;

import io.millrace.continuous.Rollouts;
import io.millrace.server.http.Method;
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

  static List<Route> of(Sources sources, String base) {
    RolloutRoutes table = new RolloutRoutes(base);
    table.rollouts(new RolloutRuns(sources));
    table.policy(new RecyclePolicies(sources));
    return List.copyOf(table.routes);
  }

  private void rollouts(RolloutRuns runs) {
    String all = "/rollouts";
    String one = all + "/{id}";
    add(GET, all, "listRollouts", VIEWER, runs::list);
    add(POST, all, "startRollout", ADMIN, runs::start);
    add(GET, one, "getRollout", VIEWER, runs::get);
    add(POST, one + "/pause", "pauseRollout", ADMIN, runs.steer(Rollouts::pause));
    add(POST, one + "/resume", "resumeRollout", ADMIN, runs.steer(Rollouts::resume));
    add(POST, one + "/abort", "abortRollout", ADMIN, runs.steer(Rollouts::abort));
  }

  private void policy(RecyclePolicies policies) {
    add(GET, "/recycle-policy", "getRecyclePolicy", VIEWER, policies::get);
    add(PUT, "/recycle-policy", "changeRecyclePolicy", ADMIN, policies::change);
  }

  private void add(
      Method method, String path, String operation, Permission permission, Route.Handler handler) {
    routes.add(new Route(method, base + path, operation, permission, List.of(), handler));
  }
}
