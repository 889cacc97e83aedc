package io.millrace.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the requests of commands about rollouts and recycles, and their output. */
class RolloutCommandsTest {

  private static final String POLICY =
      """
      {"enabled":false,"at":"04:30","zone":"UTC","windowSeconds":3600,"maxAgeSeconds":90000,
       "memoryPercent":85,"changed":null,"nextUtc":null,"nextLocal":null}
      """;

  private final FakeServer server = new FakeServer();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @AfterEach
  void stop() {
    server.close();
  }

  private int run(String... args) {
    return CliProgram.run(server, out, err, List.of(args));
  }

  private FakeServer.Asked last() {
    return server.asked().getLast();
  }

  @Test
  void aRolloutIsBegunWithWhatWasSaid() {
    server.answer("POST", "/rollouts", 201, "{\"id\":17}");
    assertThat(run("rollout", "start", "left", "right", "--grace", "60", "--min-ready", "5"))
        .isZero();
    assertThat(last().body())
        .isEqualTo("{\"nodes\":[\"left\",\"right\"],\"graceSeconds\":60,\"minReadySeconds\":5}");
    assertThat(out.toString().strip())
        .isEqualTo("Rollout 17 has begun. Look: millrace rollout show 17");
    assertThat(run("rollout", "start", "--patience", "900", "--reason", "1.2")).isZero();
    assertThat(last().body()).isEqualTo("{\"patienceSeconds\":900,\"reason\":\"1.2\"}");
    assertThat(run("recycle", "now", "left")).isZero();
    assertThat(last().body()).isEqualTo("{\"nodes\":[\"left\"],\"recycle\":true}");
  }

  @Test
  void aRolloutShowsWhatHoldsIt() {
    server.answer(
        "GET",
        "/rollouts/17",
        200,
        """
        {"id":17,"reason":"rollout","phase":"running","nodes":["left","right"],"done":1,"by":"ann: 1.2",
         "why":"node 'right' holds 1 instances","started":"2027-01-05T10:00:00Z",
         "current":{"node":"right","executorId":4,"stage":"leaving","since":"2027-01-05T10:01:00Z",
           "deadline":"2027-01-05T10:06:00Z","held":1}}
        """);
    server.answer(
        "GET",
        "/executors/4/instances?limit=10",
        200,
        "[{\"instanceId\":99,\"type\":\"order\",\"state\":\"pay\",\"since\":\"2027-01-05T09:59:00Z\"}]");
    assertThat(run("rollout", "show", "17")).isZero();
    assertThat(out.toString().lines())
        .containsExactly(
            "Rollout 17 (rollout) is running: node 'right' holds 1 instances",
            "  asked for by ann: 1.2 at 2027-01-05T10:00:00Z",
            "  1 of 2 nodes are back: left, right",
            "  node right: executor 4 leaves since 2027-01-05T10:01:00Z",
            "  it holds 1 instances, and ends them by 2027-01-05T10:06:00Z",
            "    99  order  pay  since 2027-01-05T09:59:00Z");
  }

  @Test
  void rolloutsAreListedAndSteered() {
    server.answer(
        "GET",
        "/rollouts",
        200,
        """
        [{"id":17,"reason":"recycle","phase":"completed","nodes":["left"],"done":1,"current":null,
          "why":"all 1 nodes are back","started":"2027-01-05T10:00:00Z"}]
        """);
    assertThat(run("rollout", "list")).isZero();
    assertThat(out.toString().lines())
        .contains("17  recycle  completed  1/1   2027-01-05T10:00:00Z  all 1 nodes are back");
    for (String action : List.of("pause", "resume", "abort")) {
      server.answer("POST", "/rollouts/17/" + action, 204, "");
      assertThat(run("rollout", action, "17", "--reason", "look")).isZero();
      assertThat(last().line()).isEqualTo("POST /api/v1/rollouts/17/" + action);
      assertThat(last().body()).isEqualTo("{\"reason\":\"look\"}");
    }
  }

  @Test
  void thePolicyIsShownAndChangedInPart() {
    server.answer("GET", "/recycle-policy", 200, POLICY);
    assertThat(run("recycle", "policy")).isZero();
    assertThat(out.toString().lines())
        .containsExactly(
            "Recycles are off; as the configuration says.",
            "  daily from 04:30 UTC, spread over 3600 seconds",
            "  at an age of 90000 seconds",
            "  when 85 percent of the heap stay full",
            "  next: -, that is -");

    server.answer("PUT", "/recycle-policy", 200, POLICY);
    assertThat(
            run("recycle", "set", "--on", "--at", "03:15", "--zone", "Asia/Tokyo", "--memory", "0"))
        .isZero();
    assertThat(last().body())
        .isEqualTo(
            "{\"enabled\":true,\"at\":\"03:15\",\"zone\":\"Asia/Tokyo\",\"windowSeconds\":3600,"
                + "\"maxAgeSeconds\":90000,\"memoryPercent\":null}");
    assertThat(run("recycle", "set", "--on", "--off")).isEqualTo(ExitCodes.USAGE);
  }
}
