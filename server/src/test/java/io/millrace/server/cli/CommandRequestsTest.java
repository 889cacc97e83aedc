package io.millrace.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the requests that commands send, each a row of a table. */
class CommandRequestsTest {

  private final FakeServer server = new FakeServer();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @AfterEach
  void stop() {
    server.close();
  }

  private int run(String command) {
    return CliProgram.run(server, out, err, List.of(command.split(" ")));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          cancel 1                      | POST /instances/1/cancel     | {}
          cancel 4294967296             | POST /instances/4294967296/cancel | {}
          pause 1 --reason closed       | POST /instances/1/pause      | {"reason":"closed"}
          resume 1 --reason open        | POST /instances/1/resume     | {"reason":"open"}
          start order --no-resume       | POST /instances              | {"type":"order","resume":false}
          bulk signal --type order --signal paid --payload 1 --yes 3 | POST /bulk | {"action":"signal","filter":{"type":["order"]},"signal":{"name":"paid","payload":1},"expectedCount":3}
          cordon 2 --reason disks       | POST /executors/2/cordon     | {"reason":"disks"}
          uncordon 2                    | POST /executors/2/uncordon   | {}
          recycle set --window 60 --max-age 90000 | PUT /recycle-policy | {"at":"04:30","windowSeconds":60,"maxAgeSeconds":90000}
          recycle set --max-age 0       | PUT /recycle-policy          | {"at":"04:30","maxAgeSeconds":null}
          """)
  void aCommandSendsItsRequest(String command, String line, String body) {
    String[] words = line.split(" ", -1);
    server.answer("GET", "/recycle-policy", 200, "{\"at\":\"04:30\"}");
    server.answer(words[0], words[1], 200, "{}");

    assertThat(run(command)).as(err.toString()).isZero();

    FakeServer.Asked asked = server.asked().getLast();
    assertThat(asked.line()).isEqualTo(words[0] + " /api/v1" + words[1]);
    assertThat(asked.body()).isEqualTo(body);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "list --limit 4294967296",
        "start order --priority 4294967296",
        "start order --version-number 4294967296",
        "drain 2 --grace 4294967296",
        "rollout start --min-ready 4294967296",
        "recycle set --window 4294967296",
        "jobs create pack --delay 4294967296",
        "channels requeue A --limit 4294967296",
        "sequences explain {} --slots 4294967296",
        "show 18446744073709551616"
      })
  void aNumberThatTheServerCannotHoldIsInvalidUsage(String command) {
    assertThat(run(command)).isEqualTo(ExitCodes.USAGE);
    assertThat(server.asked()).isEmpty();
  }

  @Test
  void theLastBulkRunsAreListed() {
    server.answer("GET", "/bulk", 200, "[]");
    server.answer(
        "GET",
        "/bulk",
        200,
        """
        [{"id":50,"action":"retry","status":"finished","total":87,"done":87,"succeeded":86,"refused":1}]
        """);
    assertThat(run("bulk")).isZero();
    assertThat(run("bulk")).isZero();
    assertThat(out.toString())
        .startsWith("There were no bulk runs.")
        .contains("Bulk run 50 (retry): finished, 87 of 87 done, 86 succeeded, 1 refused.");
  }

  @Test
  void anInstanceIsShownWithWhatItsHandlersLogged() {
    server.answer("GET", "/instances/5", 200, "{\"id\":5}");
    server.answer("GET", "/instances/5/variables", 200, "[]");
    server.answer("GET", "/instances/5/history?limit=1000", 200, "{\"items\":[],\"next\":null}");
    server.answer(
        "GET",
        "/instances/5/logs?limit=1000",
        200,
        "{\"items\":[{\"at\":\"2026-11-21T08:00:00Z\",\"level\":\"WARN\",\"message\":\"slow\"}]}");
    assertThat(run("show 5 --logs")).isZero();
    assertThat(out.toString().lines()).contains("  2026-11-21T08:00:00Z WARN slow");
  }

  @Test
  void aWatchGivesUpAfterItsTimeout() {
    server.answer("GET", "/instances/5", 200, "{\"status\":\"inProgress\",\"state\":\"a\"}");
    server.answer(
        "GET", "/instances/5/history?limit=1000&after=0", 200, "{\"items\":[],\"next\":null}");
    assertThat(run("watch 5 --every 0.05 --timeout 0.001")).isEqualTo(ExitCodes.FAILED);
    assertThat(err.toString()).contains("Instance 5 has not ended within 0.001 seconds.");
  }
}
