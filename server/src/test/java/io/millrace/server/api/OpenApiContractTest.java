package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.http.Param;
import io.millrace.server.http.Route;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests that the routes and the contract match in both directions. */
final class OpenApiContractTest {

  private static TestServer server;
  private static final OpenApiDocument CONTRACT = OpenApiDocument.CONTRACT;

  @BeforeAll
  static void start() {
    server = TestServer.inMemory();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void everyOperationHasItsRouteAndEveryRouteItsOperation() {
    TreeMap<String, String> operations = new TreeMap<>();
    for (OpenApiDocument.Operation o : CONTRACT.operations()) {
      operations.put(
          o.operationId(), line(o.method(), o.path(), o.permission(), o.query(), o.headers()));
    }
    TreeMap<String, String> routes = new TreeMap<>();
    for (Route route : server.routes()) {
      routes.put(
          route.operationId(),
          line(
              route.method().name(),
              route.path(),
              route.permission().text(),
              names(route, Param.Location.QUERY),
              names(route, Param.Location.HEADER)));
    }
    assertThat(routes).containsExactlyEntriesOf(operations);
  }

  @Test
  void noTwoOperationsShareAName() {
    List<String> names =
        CONTRACT.operations().stream().map(OpenApiDocument.Operation::operationId).toList();
    assertThat(names).doesNotHaveDuplicates();
  }

  private static Set<String> names(Route route, Param.Location location) {
    Set<String> names = new TreeSet<>();
    route.params().stream().filter(p -> p.place() == location).forEach(p -> names.add(p.name()));
    return names;
  }

  private static String line(
      String method, String path, String permission, Set<String> query, Set<String> headers) {
    return method + " " + path + " " + permission + " query" + query + " headers" + headers;
  }
}
