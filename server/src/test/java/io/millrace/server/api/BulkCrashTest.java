package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.WorkflowInstance;
import io.millrace.server.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Tests that another node finishes a bulk run after the first process was killed. */
@Timeout(300)
@Tag("kills")
final class BulkCrashTest {

  @Test
  void everyInstanceIsActedOnOnceAndCountedOnce() throws Exception {
    String url = Postgres.freshSchema("server_bulk_crash");
    long run = killedInTheMiddle(url);
    try (TestServer server = TestServer.start(url, 0, "/")) {
      server.client().await(run, Patience.LIMIT);
      JsonNode told = new ApiTestClient(server.port()).get("/api/v1/bulk/" + run).json();
      assertThat(told.get("status").stringValue()).isEqualTo("finished");
      assertThat(List.of(number(told, "total"), number(told, "done"), number(told, "succeeded")))
          .as(told.toString())
          .containsOnly((long) BulkCrash.INSTANCES);
      assertThat(number(told, "refused")).isZero();
      List<WorkflowInstance> paused =
          server
              .client()
              .search(InstanceQuery.all().businessKey(BulkCrash.KEY).limit(1000))
              .items();
      assertThat(paused).hasSize(BulkCrash.INSTANCES);
      for (WorkflowInstance instance : paused) {
        assertThat(server.client().history(instance.id()))
            .filteredOn(historyEntry -> historyEntry.type() == HistoryEntryType.PAUSE)
            .singleElement()
            .satisfies(historyEntry ->
                assertThat(historyEntry.outcome().reason()).isEqualTo("bulk run " + run));
      }
    }
  }

  private static long killedInTheMiddle(String url) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                BulkCrash.class.getName(),
                url)
            .redirectErrorStream(true)
            .start();
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      long run = 0;
      boolean stands = false;
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        run = line.startsWith(BulkCrash.RUN) ? Long.parseLong(line.substring(9)) : run;
        stands |= line.equals(BulkCrash.STANDS);
        if (stands && run > 0) {
          process.destroyForcibly().waitFor();
          return run;
        }
      }
      throw new AssertionError("The process ended by itself with " + process.waitFor());
    } finally {
      process.destroyForcibly();
    }
  }

  private static long number(JsonNode run, String name) {
    return run.get(name).longValue();
  }
}
