package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.StartRequest;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests two nodes on one PostgreSQL database: a change on one is visible on the other. */
@Timeout(300)
@Tag("server")
final class TwoNodesTest {

  @Test
  void aStreamOfOneNodeTellsWhatHappensOnTheOther() throws IOException, SQLException {
    String url = Postgres.freshSchema("server_two_nodes");
    try (TestServer first = TestServer.start(url, 0, "/");
        TestServer second = TestServer.start(url, 0, "/")) {
      long id = first.client().start(StartRequest.of("order")).id();
      second.awaitState(id, "pay");
      try (EventStreamResourceTest.Stream stream =
          EventStreamResourceTest.Stream.open(second.port(), "", "")) {
        ApiTestClient.Reply action =
            new ApiTestClient(first.port()).post("/api/v1/instances/" + id + "/pause", Map.of());
        assertThat(action.status()).isEqualTo(204);
        stream.awaitChangeOf(id);
      }
      assertThat(new ApiTestClient(second.port()).get("/api/v1/executors").json()).hasSize(2);
    }
  }

  @Test
  void aKeyMeansOneThingOnAllNodesAndAfterARestart() throws Exception {
    String url = Postgres.freshSchema("server_two_nodes_key");
    String run = "{\"action\":\"wake\",\"filter\":{\"businessKey\":\"nobody\"}}";
    String start = "{\"type\":\"order\",\"input\":1}";
    long runId;
    try (TestServer first = TestServer.start(url, 0, "/");
        TestServer second = TestServer.start(url, 0, "/");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<ApiTestClient> nodes =
          List.of(new ApiTestClient(first.port()), new ApiTestClient(second.port()));
      for (int i = 0; i < 10; i++) {
        List<ApiTestClient.Reply> same =
            atOnce(threads, nodes, "instances", start, start, "same-" + i);
        assertThat(same)
            .extracting(ApiTestClient.Reply::status)
            .containsExactlyInAnyOrder(200, 201);
        assertThat(ids(same)).hasSize(1);
        List<ApiTestClient.Reply> other =
            atOnce(threads, nodes, "instances", start, start.replace("1", "2"), "other-" + i);
        assertThat(other)
            .extracting(ApiTestClient.Reply::status)
            .containsExactlyInAnyOrder(201, 409);
      }
      List<ApiTestClient.Reply> runs = atOnce(threads, nodes, "bulk", run, run, "run");
      assertThat(runs).extracting(ApiTestClient.Reply::status).containsOnly(202);
      assertThat(ids(runs)).hasSize(1);
      runId = ids(runs).iterator().next();
    }
    try (TestServer again = TestServer.start(url, 0, "/")) {
      ApiTestClient apiTestClient = new ApiTestClient(again.port());
      assertThat(keyed(apiTestClient, "bulk", run, "run").json().get("id").longValue())
          .isEqualTo(runId);
      assertThat(keyed(apiTestClient, "bulk", run.replace("wake", "pause"), "run").status())
          .isEqualTo(409);
      assertThat(keyed(apiTestClient, "instances", start, "same-0").status()).isEqualTo(200);
    }
  }

  private static List<ApiTestClient.Reply> atOnce(
      ExecutorService threads,
      List<ApiTestClient> nodes,
      String path,
      String first,
      String second,
      String key)
      throws Exception {
    List<ApiTestClient.Reply> replies = new ArrayList<>();
    List<Callable<ApiTestClient.Reply>> both =
        List.of(
            () -> keyed(nodes.get(0), path, first, key),
            () -> keyed(nodes.get(1), path, second, key));
    for (Future<ApiTestClient.Reply> reply : threads.invokeAll(both)) {
      replies.add(reply.get());
    }
    return replies;
  }

  private static ApiTestClient.Reply keyed(
      ApiTestClient apiTestClient, String path, String body, String key) {
    return apiTestClient.send("POST", "/api/v1/" + path, body, Map.of("Idempotency-Key", key));
  }

  private static Set<Long> ids(List<ApiTestClient.Reply> replies) {
    return replies.stream()
        .map(reply -> reply.json().get("id").longValue())
        .collect(Collectors.toSet());
  }
}
