package io.millrace.server.api;

import static io.millrace.server.http.Method.DELETE;
import static io.millrace.server.http.Method.GET;
import static io.millrace.server.http.Method.POST;
import static io.millrace.server.http.Method.PUT;
import static io.millrace.server.security.Permission.OPERATOR;
import static io.millrace.server.security.Permission.VIEWER;

import io.millrace.server.http.Method;
import io.millrace.server.http.Param;
import io.millrace.server.http.Route;
import io.millrace.server.security.Permission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The table of operations on what workflows share: keys and values, the fire ledger, reduced
 * records.
 */
final class DataRoutes {

  private final List<Route> routes = new ArrayList<>();
  private final String base;

  private DataRoutes(String base) {
    this.base = base;
  }

  static List<Route> of(Sources sources, String base) {
    DataRoutes all = new DataRoutes(base);
    all.keyValues(new KeyValues(sources));
    all.ledger(new Periods(sources));
    all.reduceGroups(new ReduceGroups(sources));
    return List.copyOf(all.routes);
  }

  private void keyValues(KeyValues all) {
    String path = "/key-values";
    Param<?> limit = Instances.LIMIT;
    Param<?> group = KeyValues.GROUP;
    Param<?> key = KeyValues.KEY;
    Param<?> match = KeyValues.IF_MATCH;
    Param<?> noneMatch = KeyValues.IF_NONE_MATCH;
    add(GET, path + "/groups", "listKeyGroups", VIEWER, all::groups, KeyValues.AFTER, limit);
    add(
        GET,
        path,
        "listKeyValues",
        VIEWER,
        all::list,
        group,
        KeyValues.FROM,
        KeyValues.TO,
        KeyValues.STATUS,
        limit,
        Instances.CURSOR);
    String one = path + "/value";
    add(GET, one, "getKeyValue", VIEWER, all::get, group, key);
    add(PUT, one, "setKeyValue", OPERATOR, all::put, group, key, match, noneMatch);
    add(DELETE, one, "deleteKeyValue", OPERATOR, all::delete, group, key, match);
  }

  private void ledger(Periods all) {
    String path = "/ledger";
    Param<?> limit = Instances.LIMIT;
    Param<?> schedule = Periods.SCHEDULE;
    add(GET, path + "/schedules", "listLedger", VIEWER, all::schedules, Periods.AFTER, limit);
    add(
        GET,
        path,
        "listPeriods",
        VIEWER,
        all::list,
        schedule,
        Periods.FROM,
        Periods.TO,
        Periods.STATE,
        limit,
        Instances.CURSOR);
    add(GET, path + "/period", "getPeriod", VIEWER, all::get, schedule, Periods.PERIOD);
    add(POST, path + "/claim", "claimPeriod", OPERATOR, all::claim);
    add(POST, path + "/end", "endPeriod", OPERATOR, all::end);
  }

  private void reduceGroups(ReduceGroups all) {
    String path = "/reduce-groups";
    Param<?> group = ReduceGroups.GROUP;
    Param<?> limit = Instances.LIMIT;
    add(GET, path, "listReduceGroups", VIEWER, all::list, ReduceGroups.AFTER, limit);
    add(GET, path + "/record", "getReduceRecord", VIEWER, all::look, group, ReduceGroups.KEY);
    add(POST, path + "/reset", "resetReduceGroup", OPERATOR, all::reset);
    add(POST, path + "/forget", "forgetReduced", OPERATOR, all::forget);
    add(POST, path + "/dry-run", "dryRunReduce", VIEWER, all::dryRun);
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
