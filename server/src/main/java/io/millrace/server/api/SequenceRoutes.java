package io.millrace.server.api;

import static io.millrace.server.http.HttpMethod.DELETE;
import static io.millrace.server.http.HttpMethod.GET;
import static io.millrace.server.http.HttpMethod.POST;
import static io.millrace.server.http.HttpMethod.PUT;
import static io.millrace.server.security.Permission.ADMIN;
import static io.millrace.server.security.Permission.OPERATOR;
import static io.millrace.server.security.Permission.VIEWER;

import io.millrace.sequence.SequenceService;
import io.millrace.server.http.HttpMethod;
import io.millrace.server.http.Param;
import io.millrace.server.http.Route;
import io.millrace.server.security.Permission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The routes of task sequences, in the table of all routes. */
final class SequenceRoutes {

  private static final String ONE = "/sequences/{sequenceId}";

  private final String base;
  private final List<Route> routes = new ArrayList<>();

  private SequenceRoutes(String base) {
    this.base = base;
  }

  static List<Route> of(ApiContext context, String base) {
    SequenceRoutes all = new SequenceRoutes(base);
    SequenceResource pages = new SequenceResource(context);
    all.tasks(context);
    all.pages(pages);
    all.actions(new SequenceActionResource(context, pages));
    all.times(context);
    all.channels(new ChannelResource(context));
    return all.routes;
  }

  private void tasks(ApiContext context) {
    TaskResource taskResource = new TaskResource(context);
    add(GET, "/task-types", "listTaskTypes", VIEWER, taskResource::types);
    add(GET, "/tasks", "listTasks", VIEWER, taskResource::list);
    add(GET, "/tasks/{name}", "getTask", VIEWER, taskResource::get);
    TaskEditResource changes = new TaskEditResource(context, taskResource);
    add(POST, "/task-types", "addTaskType", ADMIN, changes::addType);
    add(DELETE, "/task-types/{type}", "removeTaskType", ADMIN, changes::removeType);
    add(POST, "/tasks", "addTask", ADMIN, changes::add);
    add(PUT, "/tasks/{name}", "changeTask", ADMIN, changes::change, TaskEditResource.REVISION);
    add(DELETE, "/tasks/{name}", "removeTask", ADMIN, changes::remove);
  }

  private void pages(SequenceResource pages) {
    Param<Integer> limit = InstanceResource.LIMIT;
    add(
        GET,
        "/sequences",
        "listSequences",
        VIEWER,
        pages::list,
        StatisticsResource.TYPE,
        SequenceResource.TEXT,
        limit,
        InstanceResource.CURSOR);
    add(GET, ONE, "getSequence", VIEWER, pages::get);
    add(
        GET,
        ONE + "/slots",
        "listSequenceSlots",
        VIEWER,
        pages::slots,
        SequenceSlotPage.BEFORE,
        InstanceResource.CURSOR,
        limit);
  }

  private void actions(SequenceActionResource actions) {
    add(POST, "/sequences", "addSequence", OPERATOR, actions::add);
    add(PUT, ONE, "changeSequence", OPERATOR, actions::change, SequenceActionResource.TAG);
    add(DELETE, ONE, "removeSequence", OPERATOR, actions::remove);
    add(POST, ONE + "/run", "runSequence", OPERATOR, actions::run, StartResource.IDEMPOTENCY_KEY);
    add(POST, ONE + "/backfill", "backfillSequence", OPERATOR, actions::backfill);
    action(actions, "activate", "activateSequence", (s, id, by) -> s.activate(id, true));
    action(actions, "deactivate", "deactivateSequence", (s, id, by) -> s.activate(id, false));
    action(actions, "pause", "pauseSequence", SequenceService::pause);
    action(actions, "resume", "resumeSequence", (s, id, by) -> s.resumeSchedule(id));
    action(actions, "restart", "restartSequence", SequenceService::restart);
    action(actions, "request-run", "requestSequenceRun", SequenceService::requestRun);
  }

  /** Adds an action, which has the same name in the audit and in the contract. */
  private void action(
      SequenceActionResource actions,
      String path,
      String operationId,
      SequenceActionResource.SimpleAction action) {
    add(POST, ONE + "/" + path, operationId, OPERATOR, actions.simple(operationId, action));
  }

  private void times(ApiContext context) {
    add(
        POST,
        "/schedules/explain",
        "explainSchedule",
        VIEWER,
        new ScheduleResource(context)::explain);
    add(
        GET,
        "/task-visits",
        "listTaskVisits",
        VIEWER,
        new TaskVisitResource(context)::list,
        TaskVisitResource.WORKFLOW,
        InstanceResource.LIMIT,
        InstanceResource.CURSOR);
    add(
        GET,
        "/calendar",
        "calendar",
        VIEWER,
        new CalendarResource(context)::get,
        CalendarResource.FROM,
        CalendarResource.TO,
        CalendarResource.ZONE);
  }

  private void channels(ChannelResource channelResource) {
    String one = "/channels/{channel}";
    add(GET, "/channels", "listChannels", VIEWER, channelResource::list);
    add(
        GET,
        one + "/dead-letters",
        "listDeadLetters",
        VIEWER,
        channelResource::deadLetters,
        ChannelResource.LIMIT);
    add(POST, one + "/requeue", "requeueDeadLetters", OPERATOR, channelResource::requeue);
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
