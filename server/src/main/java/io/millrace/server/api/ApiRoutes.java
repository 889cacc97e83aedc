package io.millrace.server.api;

import static io.millrace.server.http.HttpMethod.GET;
import static io.millrace.server.http.HttpMethod.PATCH;
import static io.millrace.server.http.HttpMethod.POST;
import static io.millrace.server.security.Permission.ADMIN;
import static io.millrace.server.security.Permission.OPERATOR;
import static io.millrace.server.security.Permission.PUBLIC;
import static io.millrace.server.security.Permission.VIEWER;

import io.millrace.WorkflowClient;
import io.millrace.server.bulk.BulkRuns;
import io.millrace.server.events.EventHub;
import io.millrace.server.http.HttpMethod;
import io.millrace.server.http.Param;
import io.millrace.server.http.Route;
import io.millrace.server.report.ReportService;
import io.millrace.server.security.Permission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The table of all operations. */
final class ApiRoutes {

  private static final String BASE = "/api/v1";
  private static final String ONE = "/instances/{id}";

  private final List<Route> routes = new ArrayList<>();

  private ApiRoutes() {}

  /** Returns the routes of all operations. */
  static List<Route> routes(ApiContext context, ApiServer.Components components, EventHub hub) {
    ApiRoutes apiRoutes = new ApiRoutes();
    apiRoutes.health(context, components);
    apiRoutes.routes.addAll(SecurityRoutes.of(components.guard(), BASE));
    apiRoutes.instances(context);
    apiRoutes.oneInstance(context);
    apiRoutes.actions(context);
    apiRoutes.bulk(context);
    apiRoutes.serverInfo(context, components.serverInfo());
    apiRoutes.routes.addAll(SequenceRoutes.of(context, BASE));
    apiRoutes.routes.addAll(SharedDataRoutes.of(context, BASE));
    apiRoutes.routes.addAll(ContinuousRoutes.of(context, BASE));
    apiRoutes.routes.addAll(RolloutRoutes.of(context, BASE));
    apiRoutes.routes.addAll(
        MaintenanceRoutes.of(context, components.serverInfo().notices(), components.guard(), BASE));
    apiRoutes.routes.addAll(FlowRoutes.of(context, components.services().flows(), BASE));
    apiRoutes.reports(context, components.services().reports());
    apiRoutes.audit(context);
    apiRoutes.server(components, hub);
    return List.copyOf(apiRoutes.routes);
  }

  private void health(ApiContext context, ApiServer.Components components) {
    HealthResource healthResource =
        new HealthResource(context, components.ready(), components.services().failing());
    OpenApiResource openApiResource = new OpenApiResource();
    add(GET, "/health/live", "live", PUBLIC, healthResource::live);
    add(GET, "/health/ready", "ready", PUBLIC, healthResource::ready);
    add(GET, "/openapi.yaml", "contract", PUBLIC, openApiResource::get);
  }

  private void instances(ApiContext context) {
    InstanceResource instanceResource = new InstanceResource(context);
    InstanceExportResource instanceExportResource = new InstanceExportResource(context);
    String all = "/instances";
    add(
        GET,
        all,
        "listInstances",
        VIEWER,
        instanceResource::list,
        filtered(InstanceResource.LIMIT, InstanceResource.CURSOR));
    add(
        GET,
        all + "/count",
        "countInstances",
        VIEWER,
        instanceResource::count,
        filtered(InstanceResource.CAP));
    add(
        GET,
        all + "/export",
        "exportInstances",
        VIEWER,
        instanceExportResource::export,
        filtered(InstanceExportResource.FORMAT, InstanceExportResource.MAX));
    add(GET, ONE, "getInstance", VIEWER, instanceResource::get);
  }

  private void oneInstance(ApiContext context) {
    InstanceHistoryResource instanceHistoryResource = new InstanceHistoryResource(context);
    InstanceLogResource instanceLogResource = new InstanceLogResource(context);
    Param<Integer> limit = InstanceHistoryResource.LIMIT;
    add(
        GET,
        ONE + "/history",
        "listHistory",
        VIEWER,
        instanceHistoryResource::history,
        InstanceHistoryResource.AFTER,
        limit);
    add(GET, ONE + "/variables", "listVariables", VIEWER, instanceHistoryResource::variables);
    add(GET, ONE + "/messages", "listMessages", VIEWER, instanceHistoryResource::messages, limit);
    add(
        GET,
        ONE + "/logs",
        "listLogs",
        VIEWER,
        instanceLogResource::list,
        InstanceLogResource.AFTER,
        limit);
  }

  private void actions(ApiContext context) {
    StartResource startResource = new StartResource(context);
    InstanceActionResource instanceActionResource = new InstanceActionResource(context);
    Param<String> key = StartResource.IDEMPOTENCY_KEY;
    add(POST, "/instances", "startInstance", OPERATOR, startResource::start, key);
    add(POST, ONE + "/signals", "signal", OPERATOR, startResource::signal, key);
    add(
        PATCH,
        ONE + "/variables",
        "editVariables",
        OPERATOR,
        instanceActionResource::editVariables);
    add(POST, ONE + "/wake", "wake", OPERATOR, instanceActionResource::wake);
    add(
        POST,
        ONE + "/cancel",
        "cancel",
        OPERATOR,
        instanceActionResource.simple(WorkflowClient::cancel));
    add(
        POST,
        ONE + "/pause",
        "pause",
        OPERATOR,
        instanceActionResource.simple(WorkflowClient::pause));
    add(
        POST,
        ONE + "/resume",
        "resume",
        OPERATOR,
        instanceActionResource.simple(WorkflowClient::resume));
    add(
        POST,
        ONE + "/retry",
        "retry",
        OPERATOR,
        instanceActionResource.simple(WorkflowClient::retry));
    add(POST, ONE + "/move", "move", OPERATOR, instanceActionResource::move);
  }

  private void bulk(ApiContext context) {
    BulkResource bulkResource =
        new BulkResource(new BulkRuns(context.client(), context.admin()), context.instances());
    add(POST, "/bulk", "startBulk", OPERATOR, bulkResource::start, StartResource.IDEMPOTENCY_KEY);
    add(GET, "/bulk", "listBulk", VIEWER, bulkResource::list);
    add(GET, "/bulk/{id}", "getBulk", VIEWER, bulkResource::get);
    String group = "/failures/{fingerprint}/retry";
    add(POST, group, "retryFailures", OPERATOR, bulkResource::retryFailures);
  }

  private void serverInfo(ApiContext context, ServerInfo serverInfo) {
    ExecutorResource executorResource = new ExecutorResource(context);
    DefinitionResource definitionResource = new DefinitionResource(context, executorResource);
    FailureGroupResource failureGroupResource = new FailureGroupResource(context);
    StatisticsResource statisticsResource = new StatisticsResource(context);
    OpenProblemResource problems =
        new OpenProblemResource(context, executorResource, failureGroupResource, serverInfo);
    OverviewResource overviewResource =
        new OverviewResource(
            context, statisticsResource, executorResource, failureGroupResource, problems);
    String one = "/definitions/{type}";
    Param<?> range = StatisticsResource.RANGE;
    add(GET, "/definitions", "listDefinitions", VIEWER, definitionResource::list);
    add(GET, one, "getDefinition", VIEWER, definitionResource::get, DefinitionResource.VERSION);
    add(GET, "/executors", "listExecutors", VIEWER, executorResource::list);
    String executor = "/executors/{id}";
    add(POST, executor + "/drain", "drain", ADMIN, executorResource::drain);
    add(POST, executor + "/cordon", "cordon", ADMIN, executorResource::cordon);
    add(POST, executor + "/uncordon", "uncordon", ADMIN, executorResource::uncordon);
    add(
        GET,
        executor + "/instances",
        "listLeasedInstances",
        VIEWER,
        executorResource::leasedInstances,
        ExecutorResource.LIMIT);
    add(
        GET,
        "/failures",
        "listFailures",
        VIEWER,
        failureGroupResource::list,
        InstanceFilterReader.TYPE,
        InstanceResource.LIMIT);
    add(GET, "/overview", "overview", VIEWER, overviewResource::overview, range);
    add(
        GET,
        "/statistics",
        "statistics",
        VIEWER,
        statisticsResource::series,
        range,
        StatisticsResource.TYPE);
    add(GET, "/problems", "listProblems", VIEWER, problems::list);
  }

  private void reports(ApiContext context, ReportService reportService) {
    ReportResource files = new ReportResource(context, reportService);
    add(GET, "/reports", "listReports", VIEWER, files::list);
    add(GET, "/reports/{id}/pdf", "downloadReport", VIEWER, files::download, ReportResource.REPORT);
  }

  private void audit(ApiContext context) {
    add(
        GET,
        "/audit",
        "listAudit",
        VIEWER,
        new AuditResource(context)::list,
        AuditResource.ACTOR,
        AuditResource.ACTION,
        AuditResource.INSTANCE,
        AuditResource.FROM,
        AuditResource.TO,
        InstanceResource.LIMIT,
        InstanceResource.CURSOR);
  }

  private void server(ApiServer.Components components, EventHub hub) {
    ServerInfoResource serverInfoResource = new ServerInfoResource(components.serverInfo());
    EventStreamResource eventStreamResource = new EventStreamResource(hub, components.guard());
    add(
        GET,
        "/events",
        "events",
        VIEWER,
        eventStreamResource::stream,
        EventStreamResource.LAST_EVENT_ID,
        EventStreamResource.LAST_EVENT_ID_IN_QUERY);
    add(GET, "/settings", "settings", ADMIN, serverInfoResource::settings);
    routes.add(
        new Route(GET, "/metrics", "metrics", VIEWER, List.of(), serverInfoResource::metrics));
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
            httpMethod, BASE + path, operationId, permission, Arrays.asList(params), handler));
  }

  private static Param<?>[] filtered(Param<?>... more) {
    List<Param<?>> all = new ArrayList<>(InstanceFilterReader.PARAMS);
    all.addAll(Arrays.asList(more));
    return all.toArray(Param<?>[]::new);
  }
}
