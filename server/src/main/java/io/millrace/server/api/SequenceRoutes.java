package io.millrace.server.api;

import static io.millrace.server.http.Method.DELETE;
import static io.millrace.server.http.Method.GET;
import static io.millrace.server.http.Method.POST;
import static io.millrace.server.http.Method.PUT;
import static io.millrace.server.security.Permission.ADMIN;
import static io.millrace.server.security.Permission.OPERATOR;
import static io.millrace.server.security.Permission.VIEWER;

import io.millrace.sequence.Sequences;
import io.millrace.server.http.Method;
import io.millrace.server.http.Param;
import io.millrace.server.http.Route;
import io.millrace.server.security.Permission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The routes of task sequences, in the table of all routes. */
final class SequenceRoutes {

  private static final String ONE = "/sequences/{workflowId}";

  private final String base;
  private final List<Route> routes = new ArrayList<>();

  private SequenceRoutes(String base) {
    this.base = base;
  }

  static List<Route> of(Sources sources, String base) {
    SequenceRoutes all = new SequenceRoutes(base);
    SequencePages pages = new SequencePages(sources);
    all.tasks(sources);
    all.pages(pages);
    all.deeds(new SequenceDeeds(sources, pages));
    all.times(sources);
    all.channels(new Channels(sources));
    return all.routes;
  }

  private void tasks(Sources sources) {
    Tasks tasks = new Tasks(sources);
    add(GET, "/task-types", "listTaskTypes", VIEWER, tasks::types);
    add(GET, "/tasks", "listTasks", VIEWER, tasks::list);
    add(GET, "/tasks/{name}", "getTask", VIEWER, tasks::get);
    TaskChanges changes = new TaskChanges(sources, tasks);
    add(POST, "/task-types", "addTaskType", ADMIN, changes::addType);
    add(DELETE, "/task-types/{type}", "removeTaskType", ADMIN, changes::removeType);
    add(POST, "/tasks", "addTask", ADMIN, changes::add);
    add(PUT, "/tasks/{name}", "changeTask", ADMIN, changes::change, TaskChanges.REVISION);
    add(DELETE, "/tasks/{name}", "removeTask", ADMIN, changes::remove);
  }

  private void pages(SequencePages pages) {
    Param<Integer> limit = Instances.LIMIT;
    add(
        GET,
        "/sequences",
        "listSequences",
        VIEWER,
        pages::list,
        Statistics.TYPE,
        SequencePages.TEXT,
        limit,
        Instances.CURSOR);
    add(GET, ONE, "getSequence", VIEWER, pages::get);
    add(
        GET,
        ONE + "/fires",
        "listFires",
        VIEWER,
        pages::fires,
        FirePage.BEFORE,
        Instances.CURSOR,
        limit);
  }

  private void deeds(SequenceDeeds deeds) {
    add(POST, "/sequences", "addSequence", OPERATOR, deeds::add);
    add(PUT, ONE, "changeSequence", OPERATOR, deeds::change, SequenceDeeds.TAG);
    add(DELETE, ONE, "removeSequence", OPERATOR, deeds::remove);
    add(POST, ONE + "/run", "runSequence", OPERATOR, deeds::run, Starts.IDEMPOTENCY_KEY);
    add(POST, ONE + "/backfill", "backfillSequence", OPERATOR, deeds::backfill);
    deed(deeds, "activate", "activateSequence", (s, id, by) -> s.activate(id, true));
    deed(deeds, "deactivate", "deactivateSequence", (s, id, by) -> s.activate(id, false));
    deed(deeds, "pause", "pauseSequence", Sequences::pause);
    deed(deeds, "resume", "resumeSequence", (s, id, by) -> s.resumeSchedule(id));
    deed(deeds, "restart", "restartSequence", (s, id, by) -> s.restart(id));
    deed(deeds, "run-immediately", "runSequenceImmediately", (s, id, by) -> s.runImmediately(id));
  }

  /** Called in the audit as in the contract. */
  private void deed(
      SequenceDeeds deeds, String path, String operationId, SequenceDeeds.Simple deed) {
    add(POST, ONE + "/" + path, operationId, OPERATOR, deeds.simple(operationId, deed));
  }

  private void times(Sources sources) {
    add(POST, "/schedules/explain", "explainSchedule", VIEWER, new Schedules(sources)::explain);
    add(
        GET,
        "/task-executions",
        "listTaskExecutions",
        VIEWER,
        new TaskExecutions(sources)::list,
        TaskExecutions.WORKFLOW,
        Instances.LIMIT,
        Instances.CURSOR);
    add(
        GET,
        "/calendar",
        "calendar",
        VIEWER,
        new Calendars(sources)::get,
        Calendars.FROM,
        Calendars.TO,
        Calendars.ZONE);
  }

  private void channels(Channels channels) {
    String one = "/channels/{channel}";
    add(GET, "/channels", "listChannels", VIEWER, channels::list);
    add(
        GET,
        one + "/dead-letters",
        "listDeadLetters",
        VIEWER,
        channels::deadLetters,
        Channels.LIMIT);
    add(POST, one + "/requeue", "requeueDeadLetters", OPERATOR, channels::requeue);
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
