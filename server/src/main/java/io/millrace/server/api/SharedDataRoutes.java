package io.millrace.server.api;

import static io.millrace.server.http.HttpMethod.DELETE;
import static io.millrace.server.http.HttpMethod.GET;
import static io.millrace.server.http.HttpMethod.POST;
import static io.millrace.server.http.HttpMethod.PUT;
import static io.millrace.server.security.Permission.OPERATOR;
import static io.millrace.server.security.Permission.VIEWER;

import io.millrace.server.http.HttpMethod;
import io.millrace.server.http.Param;
import io.millrace.server.http.Route;
import io.millrace.server.security.Permission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The table of operations on data that workflows share: keys and values, the period ledger, and
 * reduced records.
 */
final class SharedDataRoutes {

  private final List<Route> routes = new ArrayList<>();
  private final String base;

  private SharedDataRoutes(String base) {
    this.base = base;
  }

  static List<Route> of(ApiContext context, String base) {
    SharedDataRoutes all = new SharedDataRoutes(base);
    all.keyValues(new KeyValueResource(context));
    all.ledger(new PeriodLedgerResource(context));
    all.reduceGroups(new ReduceGroupResource(context));
    return List.copyOf(all.routes);
  }

  private void keyValues(KeyValueResource all) {
    String path = "/key-values";
    Param<?> limit = InstanceResource.LIMIT;
    Param<?> group = KeyValueResource.GROUP;
    Param<?> key = KeyValueResource.KEY;
    Param<?> match = KeyValueResource.IF_MATCH;
    Param<?> noneMatch = KeyValueResource.IF_NONE_MATCH;
    add(GET, path + "/groups", "listKeyGroups", VIEWER, all::groups, KeyValueResource.AFTER, limit);
    add(
        GET,
        path,
        "listKeyValues",
        VIEWER,
        all::list,
        group,
        KeyValueResource.FROM,
        KeyValueResource.TO,
        KeyValueResource.STATUS,
        limit,
        InstanceResource.CURSOR);
    String one = path + "/value";
    add(GET, one, "getKeyValue", VIEWER, all::get, group, key);
    add(PUT, one, "setKeyValue", OPERATOR, all::put, group, key, match, noneMatch);
    add(DELETE, one, "deleteKeyValue", OPERATOR, all::delete, group, key, match);
  }

  private void ledger(PeriodLedgerResource all) {
    String path = "/ledger";
    Param<?> limit = InstanceResource.LIMIT;
    Param<?> schedule = PeriodLedgerResource.SCHEDULE;
    add(
        GET,
        path + "/schedules",
        "listLedger",
        VIEWER,
        all::schedules,
        PeriodLedgerResource.AFTER,
        limit);
    add(
        GET,
        path,
        "listPeriods",
        VIEWER,
        all::list,
        schedule,
        PeriodLedgerResource.FROM,
        PeriodLedgerResource.TO,
        PeriodLedgerResource.STATE,
        limit,
        InstanceResource.CURSOR);
    add(
        GET,
        path + "/period",
        "getPeriod",
        VIEWER,
        all::get,
        schedule,
        PeriodLedgerResource.PERIOD);
    add(POST, path + "/claim", "claimPeriod", OPERATOR, all::claim);
    add(POST, path + "/end", "endPeriod", OPERATOR, all::end);
  }

  private void reduceGroups(ReduceGroupResource all) {
    String path = "/reduce-groups";
    Param<?> group = ReduceGroupResource.GROUP;
    Param<?> limit = InstanceResource.LIMIT;
    add(GET, path, "listReduceGroups", VIEWER, all::list, ReduceGroupResource.AFTER, limit);
    add(
        GET,
        path + "/record",
        "getReduceRecord",
        VIEWER,
        all::look,
        group,
        ReduceGroupResource.KEY);
    add(POST, path + "/reset", "resetReduceGroup", OPERATOR, all::reset);
    add(POST, path + "/forget", "forgetReduced", OPERATOR, all::forget);
    add(POST, path + "/dry-run", "dryRunReduce", VIEWER, all::dryRun);
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
