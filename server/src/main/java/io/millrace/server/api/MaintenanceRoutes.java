package io.millrace.server.api;

import static io.millrace.server.http.HttpMethod.DELETE;
import static io.millrace.server.http.HttpMethod.GET;
import static io.millrace.server.http.HttpMethod.POST;
import static io.millrace.server.http.HttpMethod.PUT;
import static io.millrace.server.security.Permission.OPERATOR;
import static io.millrace.server.security.Permission.PUBLIC;
import static io.millrace.server.security.Permission.VIEWER;

import io.millrace.server.http.HttpMethod;
import io.millrace.server.http.Param;
import io.millrace.server.http.Route;
import io.millrace.server.notice.MaintenanceService;
import io.millrace.server.security.Guard;
import io.millrace.server.security.Permission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The table of operations on planned maintenance, and of the public pages. */
final class MaintenanceRoutes {

  private final List<Route> routes = new ArrayList<>();
  private final String base;

  private MaintenanceRoutes(String base) {
    this.base = base;
  }

  static List<Route> of(
      ApiContext context, MaintenanceService maintenanceService, Guard guard, String base) {
    MaintenanceRoutes all = new MaintenanceRoutes(base);
    all.maintenances(new MaintenanceResource(context, maintenanceService));
    all.subscriptions(new SubscriptionResource(context, maintenanceService));
    all.pages(
        new StatusPageResource(context, maintenanceService, guard),
        maintenanceService.isPublic() ? PUBLIC : VIEWER);
    return List.copyOf(all.routes);
  }

  private void maintenances(MaintenanceResource all) {
    String one = base + "/maintenances/{id}";
    Param<?> key = StartResource.IDEMPOTENCY_KEY;
    add(GET, base + "/maintenances", "listMaintenances", VIEWER, all::list);
    add(POST, base + "/maintenances", "planMaintenance", OPERATOR, all::plan, key);
    add(GET, one, "getMaintenance", VIEWER, all::get);
    add(PUT, one, "changeMaintenance", OPERATOR, all::change);
    add(POST, one + "/advance", "advanceMaintenance", OPERATOR, all::advance);
  }

  private void subscriptions(SubscriptionResource all) {
    String path = base + "/subscriptions";
    add(
        GET,
        path,
        "listSubscriptions",
        OPERATOR,
        all::list,
        InstanceResource.LIMIT,
        InstanceResource.CURSOR);
    add(POST, path, "addSubscription", OPERATOR, all::add);
    add(DELETE, path + "/{id}", "removeSubscription", OPERATOR, all::remove);
  }

  /**
   * Adds the pages that links in mails lead to. They only ask for confirmation, and their buttons
   * do the action.
   */
  private void pages(StatusPageResource all, Permission permission) {
    Param<?> id = StatusPageResource.ID;
    Param<?> token = StatusPageResource.TOKEN;
    add(GET, base + "/status", "status", permission, all::status);
    add(GET, "/status-page", "statusPage", permission, all::page);
    add(GET, "/status-page/style.css", "statusStyle", PUBLIC, all::style);
    add(GET, "/status-page/feed.atom", "statusFeed", permission, all::feed);
    add(GET, "/status-page/calendar.ics", "statusCalendar", permission, all::calendar);
    add(POST, "/status-page/subscribe", "subscribe", permission, all::subscribe);
    add(GET, "/status-page/confirm", "askToConfirm", PUBLIC, all::askToConfirm, id, token);
    add(POST, "/status-page/confirm", "confirm", PUBLIC, all::confirm);
    add(
        GET,
        "/status-page/unsubscribe",
        "askToUnsubscribe",
        PUBLIC,
        all::askToUnsubscribe,
        id,
        token);
    add(POST, "/status-page/unsubscribe", "unsubscribe", PUBLIC, all::unsubscribe);
  }

  private void add(
      HttpMethod httpMethod,
      String path,
      String operationId,
      Permission permission,
      Route.Handler handler,
      Param<?>... params) {
    routes.add(
        new Route(httpMethod, path, operationId, permission, Arrays.asList(params), handler));
  }
}
