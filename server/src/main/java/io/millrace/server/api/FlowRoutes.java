package io.millrace.server.api;

import static io.millrace.server.http.HttpMethod.DELETE;
import static io.millrace.server.http.HttpMethod.GET;
import static io.millrace.server.http.HttpMethod.POST;
import static io.millrace.server.security.Permission.OPERATOR;
import static io.millrace.server.security.Permission.VIEWER;

import io.millrace.server.http.HttpMethod;
import io.millrace.server.http.Param;
import io.millrace.server.http.Route;
import io.millrace.server.security.Permission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table of operations on Redis flows. */
final class FlowRoutes {

  private final List<Route> routes = new ArrayList<>();
  private final String base;

  private FlowRoutes(String base) {
    this.base = base;
  }

  /**
   * Returns the routes of all operations.
   *
   * @param flowServices null where no Redis is configured
   */
  static List<Route> of(ApiContext context, @Nullable FlowServices flowServices, String base) {
    FlowRoutes all = new FlowRoutes(base);
    all.queues(new FlowQueueResource(context, flowServices));
    all.jobs(new FlowJobResource(context, flowServices));
    return List.copyOf(all.routes);
  }

  private void queues(FlowQueueResource queues) {
    String one = "/flows/{flow}/queues/{queue}";
    add(GET, "/flows", "listFlows", VIEWER, queues::list);
    add(
        GET,
        one + "/jobs",
        "listJobs",
        VIEWER,
        queues::jobs,
        FlowQueueResource.LIST,
        InstanceResource.LIMIT,
        InstanceResource.CURSOR);
    add(POST, one + "/pause", "pauseQueue", OPERATOR, queues::pause);
    add(POST, one + "/resume", "resumeQueue", OPERATOR, queues::resume);
    add(POST, one + "/requeue", "requeueJobs", OPERATOR, queues::requeue);
  }

  private void jobs(FlowJobResource jobs) {
    String all = "/flows/{flow}/jobs";
    add(
        GET,
        all,
        "findJobs",
        VIEWER,
        jobs::find,
        FlowJobResource.FIELD,
        FlowJobResource.VALUE,
        FlowJobResource.LIMIT,
        FlowJobResource.CURSOR);
    add(POST, all, "createJob", OPERATOR, jobs::create);
    add(GET, all + "/{id}", "getJob", VIEWER, jobs::get);
    add(DELETE, all + "/{id}", "deleteJob", OPERATOR, jobs::delete);
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
