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
  static List<Route> routes(ApiContext apiContext, ApiServer.Components components, EventHub hub) {
    ApiRoutes apiRoutes = new ApiRoutes();
    apiRoutes.health(apiContext, components);
    apiRoutes.routes.addAll(SecurityRoutes.of(components.guard(), BASE));
    apiRoutes.instances(apiContext);
    apiRoutes.oneInstance(apiContext);
    apiRoutes.actions(apiContext);
    apiRoutes.bulk(apiContext);
    apiRoutes.serverInfo(apiContext, components.serverInfo());
    apiRoutes.routes.addAll(SequenceRoutes.of(apiContext, BASE));
    apiRoutes.routes.addAll(SharedDataRoutes.of(apiContext, BASE));
    apiRoutes.routes.addAll(ContinuousRoutes.of(apiContext, BASE));
    apiRoutes.routes.addAll(RolloutRoutes.of(apiContext, BASE));
    apiRoutes.routes.addAll(
        MaintenanceRoutes.of(
            apiContext, components.serverInfo().notices(), components.guard(), BASE));
    apiRoutes.routes.addAll(FlowRoutes.of(apiContext, components.beside().flows(), BASE));
    apiRoutes.reports(apiContext, components.beside().reports());
    apiRoutes.audit(apiContext);
    apiRoutes.server(components, hub);
    return List.copyOf(apiRoutes.routes);
  }

  private void health(ApiContext apiContext, ApiServer.Components components) {
    HealthResource healthResource =
        new HealthResource(apiContext, components.ready(), components.beside().failing());
    OpenApiResource openApiResource = new OpenApiResource();
    add(GET, "/health/live", "live", PUBLIC, healthResource::live);
    add(GET, "/health/ready", "ready", PUBLIC, healthResource::ready);
    add(GET, "/openapi.yaml", "contract", PUBLIC, openApiResource::get);
  }

  private void instances(ApiContext apiContext) {
    InstanceResource instanceResource = new InstanceResource(apiContext);
    InstanceExportResource instanceExportResource = new InstanceExportResource(apiContext);
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

  private void oneInstance(ApiContext apiContext) {
    InstanceHistoryResource instanceHistoryResource = new InstanceHistoryResource(apiContext);
    InstanceLogResource instanceLogResource = new InstanceLogResource(apiContext);
    Param<Integer> limit = InstanceHistoryResource.LIMIT;
    add(
        GET,
        ONE + "/actions",
        "listActions",
        VIEWER,
        instanceHistoryResource::actions,
        InstanceHistoryResource.AFTER,
        limit);
    add(GET, ONE + "/variables", "listVariables", VIEWER, instanceHistoryResource::variables);
    add(GET, ONE + "/signals", "listSignals", VIEWER, instanceHistoryResource::signals, limit);
    add(
        GET,
        ONE + "/logs",
        "listLogs",
        VIEWER,
        instanceLogResource::list,
        InstanceLogResource.AFTER,
        limit);
  }

  private void actions(ApiContext apiContext) {
    StartResource startResource = new StartResource(apiContext);
    InstanceActionResource instanceActionResource = new InstanceActionResource(apiContext);
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

  private void bulk(ApiContext apiContext) {
    BulkResource bulkResource =
        new BulkResource(
            new BulkRuns(apiContext.client(), apiContext.operations()), apiContext.instances());
    add(POST, "/bulk", "startBulk", OPERATOR, bulkResource::start, StartResource.IDEMPOTENCY_KEY);
    add(GET, "/bulk", "listBulk", VIEWER, bulkResource::list);
    add(GET, "/bulk/{id}", "getBulk", VIEWER, bulkResource::get);
    String group = "/failures/{fingerprint}/retry";
    add(POST, group, "retryFailures", OPERATOR, bulkResource::retryFailures);
  }

  private void serverInfo(ApiContext apiContext, ServerInfo serverInfo) {
    ExecutorResource executorResource = new ExecutorResource(apiContext);
    DefinitionResource definitionResource = new DefinitionResource(apiContext, executorResource);
    FailureGroupResource failureGroupResource = new FailureGroupResource(apiContext);
    StatisticsResource statisticsResource = new StatisticsResource(apiContext);
    OpenProblemResource problems =
        new OpenProblemResource(apiContext, executorResource, failureGroupResource, serverInfo);
    OverviewResource overviewResource =
        new OverviewResource(
            apiContext, statisticsResource, executorResource, failureGroupResource, problems);
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
        executor + "/holding",
        "listHolding",
        VIEWER,
        executorResource::holding,
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

  private void reports(ApiContext apiContext, ReportService reportService) {
    ReportResource files = new ReportResource(apiContext, reportService);
    add(GET, "/reports", "listReports", VIEWER, files::list);
    add(GET, "/reports/{id}/pdf", "downloadReport", VIEWER, files::download, ReportResource.REPORT);
  }

  private void audit(ApiContext apiContext) {
    add(
        GET,
        "/audit",
        "listAudit",
        VIEWER,
        new AuditResource(apiContext)::list,
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
