package io.millrace.server.api;

import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.Method;
import io.millrace.server.http.Param;
import io.millrace.server.http.Route;
import io.millrace.server.security.Guard;
import io.millrace.server.security.Reply;
import io.millrace.server.security.SecurityRoute;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The routes of security, in the table of all routes. */
final class SecurityRoutes {

  private static final int NAME = 100;

  /** The query parameters of the operations that have any. */
  private static final Map<String, List<Param<?>>> QUERIES =
      Map.of(
          "logInWithOidc",
          List.of(Param.text("to", 2000)),
          "finishOidc",
          List.of(
              Param.text("code", 4000),
              Param.text("state", 200),
              Param.text("error", 200),
              Param.text("error_description", 2000),
              Param.text("iss", 2000),
              Param.text("session_state", 2000)));

  /** Issuers add parameters of their own, which the protocol wants to be passed over. */
  private static final Set<String> PASSING_OTHERS = Set.of("finishOidc");

  private SecurityRoutes() {}

  static List<Route> of(Guard guard, String base) {
    return guard.routes().stream().map(route -> route(route, base)).toList();
  }

  private static Route route(SecurityRoute route, String base) {
    List<Param<?>> params = QUERIES.getOrDefault(route.operationId(), List.of());
    return new Route(
        Method.valueOf(route.method()),
        base + route.path(),
        route.operationId(),
        route.permission(),
        params,
        PASSING_OTHERS.contains(route.operationId()),
        call -> answer(route, params, call));
  }

  private static Answer answer(SecurityRoute route, List<Param<?>> params, Call call)
      throws IOException {
    Set<String> parts = call.context().pathParamMap().keySet();
    Reply reply =
        route
            .handler()
            .answer(
                new SecurityRoute.Call(
                    call.facts(),
                    call.caller(),
                    call.bodyNode(),
                    name -> parts.contains(name) ? call.path(name, NAME) : null,
                    name -> query(params, call, name)));
    reply.headers().forEach(call.context()::header);
    reply.cookies().forEach(cookie -> call.context().res().addHeader("Set-Cookie", cookie));
    return switch (reply.body()) {
      case null -> new Answer.Empty(reply.status());
      case Reply.Page page ->
          new Answer.Text(reply.status(), "text/html;charset=utf-8", page.html());
      case Object body -> new Answer.Json(reply.status(), body);
    };
  }

  private static @Nullable String query(List<Param<?>> params, Call call, String name) {
    for (Param<?> param : params) {
      if (param.name().equals(name)) {
        return (String) call.find(param);
      }
    }
    return null;
  }
}
