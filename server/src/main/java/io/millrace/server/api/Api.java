package io.millrace.server.api;

import static io.millrace.server.http.Method.GET;
import static io.millrace.server.http.Method.PATCH;
import static io.millrace.server.http.Method.POST;
import static io.millrace.server.security.Permission.ADMIN;
import static io.millrace.server.security.Permission.OPERATOR;
import static io.millrace.server.security.Permission.PUBLIC;
import static io.millrace.server.security.Permission.VIEWER;

import io.millrace.WorkflowClient;
import io.millrace.server.bulk.BulkRuns;
import io.millrace.server.events.EventHub;
import io.millrace.server.http.Method;
import io.millrace.server.http.Param;
import io.millrace.server.http.Route;
import io.millrace.server.report.Reports;
import io.millrace.server.security.Permission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The table of all operations. */
final class Api {

  private static final String BASE = "/api/v1";
  private static final String ONE = "/instances/{id}";

  private final List<Route> routes = new ArrayList<>();

  private Api() {}

  /** The routes of all operations. */
  static List<Route> routes(Sources sources, ApiHost.Parts parts, EventHub hub) {
    Api api = new Api();
    api.health(sources, parts);
    api.routes.addAll(SecurityRoutes.of(parts.guard(), BASE));
    api.instances(sources);
    api.oneInstance(sources);
    api.deeds(sources);
    api.bulk(sources);
    api.surroundings(sources, parts.surroundings());
    api.routes.addAll(SequenceRoutes.of(sources, BASE));
    api.routes.addAll(DataRoutes.of(sources, BASE));
    api.routes.addAll(AlwaysOnRoutes.of(sources, BASE));
    api.routes.addAll(RolloutRoutes.of(sources, BASE));
    api.routes.addAll(
        NoticeRoutes.of(sources, parts.surroundings().notices(), parts.guard(), BASE));
    api.routes.addAll(FlowRoutes.of(sources, parts.beside().flows(), BASE));
    api.reports(sources, parts.beside().reports());
    api.audit(sources);
    api.server(parts, hub);
    return List.copyOf(api.routes);
  }

  private void health(Sources sources, ApiHost.Parts parts) {
    Health health = new Health(sources, parts.ready(), parts.beside().failing());
    Contract contract = new Contract();
    add(GET, "/health/live", "live", PUBLIC, health::live);
    add(GET, "/health/ready", "ready", PUBLIC, health::ready);
    add(GET, "/openapi.yaml", "contract", PUBLIC, contract::get);
  }

  private void instances(Sources sources) {
    Instances instances = new Instances(sources);
    Exports exports = new Exports(sources);
    String all = "/instances";
    add(
        GET,
        all,
        "listInstances",
        VIEWER,
        instances::list,
        filtered(Instances.LIMIT, Instances.CURSOR));
    add(GET, all + "/count", "countInstances", VIEWER, instances::count, filtered(Instances.CAP));
    add(
        GET,
        all + "/export",
        "exportInstances",
        VIEWER,
        exports::export,
        filtered(Exports.FORMAT, Exports.MAX));
    add(GET, ONE, "getInstance", VIEWER, instances::get);
  }

  private void oneInstance(Sources sources) {
    Histories histories = new Histories(sources);
    Logs logs = new Logs(sources);
    Param<Integer> limit = Histories.LIMIT;
    add(GET, ONE + "/actions", "listActions", VIEWER, histories::actions, Histories.AFTER, limit);
    add(GET, ONE + "/variables", "listVariables", VIEWER, histories::variables);
    add(GET, ONE + "/signals", "listSignals", VIEWER, histories::signals, limit);
    add(GET, ONE + "/logs", "listLogs", VIEWER, logs::list, Logs.AFTER, limit);
  }

  private void deeds(Sources sources) {
    Starts starts = new Starts(sources);
    Deeds deeds = new Deeds(sources);
    Param<String> key = Starts.IDEMPOTENCY_KEY;
    add(POST, "/instances", "startInstance", OPERATOR, starts::start, key);
    add(POST, ONE + "/signals", "signal", OPERATOR, starts::signal, key);
    add(PATCH, ONE + "/variables", "editVariables", OPERATOR, deeds::editVariables);
    add(POST, ONE + "/wake", "wake", OPERATOR, deeds.simple(WorkflowClient::wake));
    add(POST, ONE + "/cancel", "cancel", OPERATOR, deeds.simple(WorkflowClient::cancel));
    add(POST, ONE + "/pause", "pause", OPERATOR, deeds.simple(WorkflowClient::pause));
    add(POST, ONE + "/resume", "resume", OPERATOR, deeds.simple(WorkflowClient::resume));
    add(POST, ONE + "/retry", "retry", OPERATOR, deeds.simple(WorkflowClient::retry));
    add(POST, ONE + "/move", "move", OPERATOR, deeds::move);
  }

  private void bulk(Sources sources) {
    Bulks bulks =
        new Bulks(new BulkRuns(sources.client(), sources.operations()), sources.instances());
    add(POST, "/bulk", "startBulk", OPERATOR, bulks::start, Starts.IDEMPOTENCY_KEY);
    add(GET, "/bulk", "listBulk", VIEWER, bulks::list);
    add(GET, "/bulk/{id}", "getBulk", VIEWER, bulks::get);
    String group = "/failures/{fingerprint}/retry";
    add(POST, group, "retryFailures", OPERATOR, bulks::retryFailures);
  }

  private void surroundings(Sources sources, Surroundings around) {
    Executors executors = new Executors(sources);
    Definitions definitions = new Definitions(sources, executors);
    Failures failures = new Failures(sources);
    Statistics statistics = new Statistics(sources);
    OpenProblems problems = new OpenProblems(sources, executors, failures, around);
    Overviews overviews = new Overviews(sources, statistics, executors, failures, problems);
    String one = "/definitions/{type}";
    Param<?> range = Statistics.RANGE;
    add(GET, "/definitions", "listDefinitions", VIEWER, definitions::list);
    add(GET, one, "getDefinition", VIEWER, definitions::get, Definitions.VERSION);
    add(GET, "/executors", "listExecutors", VIEWER, executors::list);
    String executor = "/executors/{id}";
    add(POST, executor + "/drain", "drain", ADMIN, executors::drain);
    add(POST, executor + "/cordon", "cordon", ADMIN, executors::cordon);
    add(POST, executor + "/uncordon", "uncordon", ADMIN, executors::uncordon);
    add(GET, executor + "/holding", "listHolding", VIEWER, executors::holding, Executors.LIMIT);
    add(GET, "/failures", "listFailures", VIEWER, failures::list, Filters.TYPE, Instances.LIMIT);
    add(GET, "/overview", "overview", VIEWER, overviews::overview, range);
    add(GET, "/statistics", "statistics", VIEWER, statistics::series, range, Statistics.TYPE);
    add(GET, "/problems", "listProblems", VIEWER, problems::list);
  }

  private void reports(Sources sources, Reports reports) {
    ReportFiles files = new ReportFiles(sources, reports);
    add(GET, "/reports", "listReports", VIEWER, files::list);
    add(GET, "/reports/{id}/pdf", "downloadReport", VIEWER, files::download, ReportFiles.REPORT);
  }

  private void audit(Sources sources) {
    add(
        GET,
        "/audit",
        "listAudit",
        VIEWER,
        new Audits(sources)::list,
        Audits.ACTOR,
        Audits.ACTION,
        Audits.INSTANCE,
        Audits.FROM,
        Audits.TO,
        Instances.LIMIT,
        Instances.CURSOR);
  }

  private void server(ApiHost.Parts parts, EventHub hub) {
    Environment environment = new Environment(parts.surroundings());
    Events events = new Events(hub, parts.guard());
    add(
        GET,
        "/events",
        "events",
        VIEWER,
        events::stream,
        Events.LAST_EVENT_ID,
        Events.LAST_EVENT_ID_IN_QUERY);
    add(GET, "/settings", "settings", ADMIN, environment::settings);
    routes.add(new Route(GET, "/metrics", "metrics", VIEWER, List.of(), environment::metrics));
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
