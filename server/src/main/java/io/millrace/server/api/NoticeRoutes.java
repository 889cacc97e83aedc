package io.millrace.server.api;

import static io.millrace.server.http.Method.DELETE;
import static io.millrace.server.http.Method.GET;
import static io.millrace.server.http.Method.POST;
import static io.millrace.server.http.Method.PUT;
import static io.millrace.server.security.Permission.OPERATOR;
import static io.millrace.server.security.Permission.PUBLIC;
import static io.millrace.server.security.Permission.VIEWER;

import io.millrace.server.http.Method;
import io.millrace.server.http.Param;
import io.millrace.server.http.Route;
import io.millrace.server.notice.Notices;
import io.millrace.server.security.Guard;
import io.millrace.server.security.Permission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The table of operations on planned maintenance, and of the pages for strangers. */
final class NoticeRoutes {

  private final List<Route> routes = new ArrayList<>();
  private final String base;

  private NoticeRoutes(String base) {
    this.base = base;
  }

  static List<Route> of(Sources sources, Notices notices, Guard guard, String base) {
    NoticeRoutes all = new NoticeRoutes(base);
    all.maintenances(new Maintenances(sources, notices));
    all.subscriptions(new Subscribers(sources, notices));
    all.pages(new StatusPages(sources, notices, guard), notices.isPublic() ? PUBLIC : VIEWER);
    return List.copyOf(all.routes);
  }

  private void maintenances(Maintenances all) {
    String one = base + "/maintenances/{id}";
    Param<?> key = Starts.IDEMPOTENCY_KEY;
    add(GET, base + "/maintenances", "listMaintenances", VIEWER, all::list);
    add(POST, base + "/maintenances", "planMaintenance", OPERATOR, all::plan, key);
    add(GET, one, "getMaintenance", VIEWER, all::get);
    add(PUT, one, "changeMaintenance", OPERATOR, all::change);
    add(POST, one + "/advance", "advanceMaintenance", OPERATOR, all::advance);
  }

  private void subscriptions(Subscribers all) {
    String path = base + "/subscriptions";
    add(GET, path, "listSubscriptions", OPERATOR, all::list, Instances.LIMIT, Instances.CURSOR);
    add(POST, path, "addSubscription", OPERATOR, all::add);
    add(DELETE, path + "/{id}", "removeSubscription", OPERATOR, all::remove);
  }

  /** Links in mails lead to pages that ask; only their buttons do something. */
  private void pages(StatusPages all, Permission who) {
    Param<?> id = StatusPages.ID;
    Param<?> token = StatusPages.TOKEN;
    add(GET, base + "/status", "status", who, all::status);
    add(GET, "/status-page", "statusPage", who, all::page);
    add(GET, "/status-page/style.css", "statusStyle", PUBLIC, all::style);
    add(GET, "/status-page/feed.atom", "statusFeed", who, all::feed);
    add(GET, "/status-page/calendar.ics", "statusCalendar", who, all::calendar);
    add(POST, "/status-page/subscribe", "subscribe", who, all::subscribe);
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
      Method method,
      String path,
      String operationId,
      Permission permission,
      Route.Handler handler,
      Param<?>... params) {
    routes.add(new Route(method, path, operationId, permission, Arrays.asList(params), handler));
  }
}
