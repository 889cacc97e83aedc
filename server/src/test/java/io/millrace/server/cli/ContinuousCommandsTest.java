package io.millrace.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the requests of commands about continuous workflows, and their output. */
class ContinuousCommandsTest {

  private static final String INBOX =
      """
      {"name":"inbox","state":"waiting","executorId":3,"run":{"series":1,"generation":7,
       "started":"2026-11-22T10:00:00Z","mode":"AutoStart (Continuation)","reason":"HOURLY"},
       "activity":{"fires":12,"lastFire":"2026-11-22T10:30:00Z"},"health":{"error":null}}
      """;

  private final FakeServer server = new FakeServer();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @AfterEach
  void stop() {
    server.close();
  }

  private int run(String... args) {
    List<String> all = new ArrayList<>(List.of("continuous"));
    all.addAll(List.of(args));
    return CliProgram.run(server, out, err, all);
  }

  private FakeServer.Asked last() {
    return server.asked().getLast();
  }

  @Test
  void theListTellsStateAndRunAndWhatIsWrong() {
    server.answer(
        "GET",
        "/continuous-workflows?limit=50&unhealthy=true",
        200,
        "{\"items\":["
            + INBOX
            + ",{\"name\":\"gate\",\"state\":\"crashLoop\",\"run\":null,\"activity\":{\"fires\":0},"
            + "\"health\":{\"error\":\"no folder\"}}],\"next\":\"inbox\"}");
    assertThat(run("list", "--unhealthy")).isZero();
    assertThat(out.toString().lines())
        .contains(
            "NAME   STATE      EXECUTOR  RUN  FIRES  LAST FIRE",
            "inbox  waiting    3         1/7  12     2026-11-22T10:30:00Z",
            "gate   crashLoop  -         -    0      -",
            "    no folder",
            "There are more: add --after inbox");
  }

  @Test
  void oneIsShownWithWhatHasHappened() {
    server.answer(
        "GET",
        "/continuous-workflows/inbox",
        200,
        "{\"workflow\":" + INBOX + ",\"unmet\":[\"execution 5 of it runs\"],\"downtimeMs\":0}");
    server.answer(
        "GET",
        "/continuous-workflows/inbox/log?limit=20",
        200,
        """
        [{"at":"2026-11-22T10:00:00Z","type":"continued","reason":"HOURLY","executorId":3,"detail":null}]
        """);
    assertThat(run("show", "inbox")).isZero();
    assertThat(out.toString().lines())
        .contains(
            "inbox is waiting.",
            "Run 1/7 began at 2026-11-22T10:00:00Z: AutoStart (Continuation), HOURLY.",
            "It is not continued now: execution 5 of it runs.",
            "2026-11-22T10:00:00Z  continued  HOURLY  3         -");
  }

  @Test
  void actionsGoToTheirPaths() {
    for (String action : List.of("enable", "disable", "restart", "continue")) {
      server.answer("POST", "/continuous-workflows/inbox/" + action, 204, "");
      assertThat(run(action, "inbox", "--reason", "look")).isZero();
      assertThat(last().body()).isEqualTo("{\"reason\":\"look\"}");
    }
    server.answer("POST", "/continuous-workflows/inbox/move", 204, "");
    assertThat(run("move", "inbox", "--to", "4")).isZero();
    assertThat(last().body()).isEqualTo("{\"executor\":4}");
  }

  @Test
  void eventsAndRunsBringTheirPayload() {
    server.answer("POST", "/continuous-workflows/inbox/run", 201, "{\"id\":9}");
    assertThat(run("run", "inbox", "--payload", "{\"a\":1}")).isZero();
    assertThat(last().body()).isEqualTo("{\"payload\":{\"a\":1}}");
    server.answer("POST", "/triggers/inbox", 202, "{\"result\":\"kept\",\"key\":\"A-17\"}");
    assertThat(run("offer", "inbox", "--payload", "[1]", "--key-of-event", "A-17")).isZero();
    assertThat(last().body()).isEqualTo("[1]");
    assertThat(last().headers()).containsEntry("Idempotency-key", "A-17");
    assertThat(out.toString()).contains("The event is kept as A-17.");
    assertThat(run("offer", "inbox", "--payload", "[1]")).isZero();
    assertThat(last().headers()).doesNotContainKey("Idempotency-key");
    assertThat(run("offer", "inbox", "--payload", "[1]", "--key-of-event", "")).isZero();
    assertThat(last().headers()).containsEntry("Idempotency-key", "");
    assertThat(run("run", "inbox", "--payload", "{")).isEqualTo(ExitCodes.USAGE);
  }
}
