package io.millrace.server.api;

import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.HttpMethod;
import io.millrace.server.http.Param;
import io.millrace.server.http.Route;
import io.millrace.server.security.Guard;
import io.millrace.server.security.SecurityResponse;
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

  /**
   * Operations that ignore unknown parameters, because the OpenID protocol lets issuers add some.
   */
  private static final Set<String> PASSING_OTHERS = Set.of("finishOidc");

  private SecurityRoutes() {}

  static List<Route> of(Guard guard, String base) {
    return guard.routes().stream().map(route -> route(route, base)).toList();
  }

  private static Route route(SecurityRoute route, String base) {
    List<Param<?>> params = QUERIES.getOrDefault(route.operationId(), List.of());
    return new Route(
        HttpMethod.valueOf(route.method()),
        base + route.path(),
        route.operationId(),
        route.permission(),
        params,
        PASSING_OTHERS.contains(route.operationId()),
        request -> answer(route, params, request));
  }

  private static ApiResponse answer(SecurityRoute route, List<Param<?>> params, ApiRequest request)
      throws IOException {
    Set<String> parts = request.context().pathParamMap().keySet();
    SecurityResponse securityResponse =
        route
            .handler()
            .answer(
                new SecurityRoute.Request(
                    request.requestInfo(),
                    request.caller(),
                    request.bodyNode(),
                    name -> parts.contains(name) ? request.path(name, NAME) : null,
                    name -> query(params, request, name)));
    securityResponse.headers().forEach(request.context()::header);
    securityResponse
        .cookies()
        .forEach(cookie -> request.context().res().addHeader("Set-Cookie", cookie));
    return switch (securityResponse.body()) {
      case null -> new ApiResponse.Empty(securityResponse.status());
      case SecurityResponse.Page page ->
          new ApiResponse.Text(securityResponse.status(), "text/html;charset=utf-8", page.html());
      case Object body -> new ApiResponse.Json(securityResponse.status(), body);
    };
  }

  private static @Nullable String query(List<Param<?>> params, ApiRequest request, String name) {
    for (Param<?> param : params) {
      if (param.name().equals(name)) {
        return (String) request.find(param);
      }
    }
    return null;
  }
}
