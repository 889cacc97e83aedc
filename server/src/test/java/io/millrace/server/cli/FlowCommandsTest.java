package io.millrace.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Tests the requests of commands about Redis flows, and their output. */
class FlowCommandsTest {

  private static final String QUEUE =
      """
      {"name":"box","flow":"pack","next":"ship","waiting":3,"processing":1,"delayed":0,"dead":2,
       "oldestWaitingSeconds":12,"paused":true,"pausedWhy":"no boxes","pausedBy":"ann",
       "pausedSince":"2026-11-22T09:00:00Z","workers":4,"busy":1,
       "completedPerMinute":7.5,"failedPerMinute":0,"locksExpiring":1,"expired":6}
      """;
  private static final String JOB =
      """
      {"flow":"pack","id":"j1","state":"waiting","queue":"box","position":4,"lockOwner":null,
       "failedErrorMsg":null,"attempts":2,"ttlSeconds":86000,"progress":40,"note":"half","fields":{"size":3,"name":"Joe"},
       "unreadable":{"bad":"{"},"children":[{"flow":"box:fold","id":"c1","state":"completed",
       "fields":{},"unreadable":{},"children":[]}]}
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

  private List<String> lines() {
    return out.toString().lines().map(line -> line.strip().replaceAll(" +", " ")).toList();
  }

  @Test
  void queuesAreATableWithRemarks() {
    server.answer(
        "GET",
        "/flows",
        200,
        "{\"configured\":true,\"reachable\":true,\"flows\":[{\"name\":\"pack\",\"lookup\":[],"
            + "\"queues\":["
            + QUEUE
            + "]}]}");
    assertThat(run("flows")).isZero();
    assertThat(lines())
        .containsExactly(
            "FLOW QUEUE NEXT WAITING OLDEST PROCESSING DELAYED DEAD WORKERS BUSY DONE/MIN"
                + " FAILED/MIN",
            "pack box ship 3 12 s 1 0 2 4 1 7.5 0",
            "jobs that expired in the queue: 6",
            "paused since 2026-11-22T09:00:00Z by ann: no boxes",
            "locks that end soon, or are missing: 1");
    assertThat(run("flows", "pack", "--json")).isZero();
    assertThat(out.toString())
        .contains("\"pausedWhy\" : \"no boxes\"")
        .doesNotContain("configured");
    assertThat(run("flows", "other")).isEqualTo(ExitCodes.NOT_FOUND);
    assertThat(run("flows", "other", "--json")).isEqualTo(ExitCodes.NOT_FOUND);
  }

  @Test
  void whetherThereIsARedisIsTold() {
    server.answer("GET", "/flows", 200, "{\"configured\":false,\"reachable\":false,\"flows\":[]}");
    assertThat(run("flows")).isZero();
    assertThat(out.toString()).contains("redis.uri");
    FakeServer away = new FakeServer();
    away.answer(
        "GET",
        "/flows",
        200,
        "{\"configured\":true,\"reachable\":false,\"problem\":\"refused\",\"flows\":[]}");
    assertThat(run("flows", "--url", away.url())).isEqualTo(ExitCodes.USAGE);
    for (String[] asked : new String[][] {{"flows"}, {"flows", "--json"}, {"flows", "pack"}}) {
      CommandLine line = CliProgram.commands(asked);
      List<String> all = new ArrayList<>(List.of(asked));
      all.addAll(List.of("--url", away.url()));
      assertThat(line.setErr(new PrintWriter(err)).execute(all.toArray(String[]::new)))
          .isEqualTo(ExitCodes.UNREACHABLE);
    }
    assertThat(err.toString()).contains("Redis does not answer: refused");
    away.close();
  }

  @Test
  void jobsOfAQueueAreListedPageByPage() {
    server.answer(
        "GET",
        "/flows/pack/queues/box%3Afold/jobs?list=dead&limit=2&cursor=4",
        200,
        "{\"items\":[{\"id\":\"j1\",\"flow\":\"box:fold\",\"at\":\"2026-11-22T09:00:00Z\","
            + "\"error\":\"torn\"}],\"next\":\"6\"}");
    assertThat(
            run(
                "queues",
                "jobs",
                "pack",
                "box:fold",
                "--list",
                "dead",
                "--limit",
                "2",
                "--cursor",
                "4"))
        .isZero();
    assertThat(lines())
        .containsExactly(
            "ID FLOW CREATED AT LOCKED BY LEFT ERROR",
            "j1 box:fold - 2026-11-22T09:00:00Z - - torn",
            "There are more: add --cursor 6");
  }

  @Test
  void queuesArePausedResumedAndRequeued() {
    server.answer("POST", "/flows/pack/queues/box/pause", 200, QUEUE);
    assertThat(run("queues", "pause", "pack", "box", "--reason", "no boxes")).isZero();
    assertThat(last().body()).isEqualTo("{\"reason\":\"no boxes\"}");
    server.answer("POST", "/flows/pack/queues/box/resume", 200, QUEUE);
    assertThat(run("queues", "resume", "pack", "box")).isZero();
    server.answer(
        "POST", "/flows/pack/queues/box/requeue", 200, "{\"requeued\":2,\"gone\":0,\"held\":0}");
    server.answer(
        "POST", "/flows/pack/queues/box/requeue", 200, "{\"requeued\":1,\"gone\":1,\"held\":2}");
    assertThat(run("queues", "requeue", "pack", "box")).isZero();
    assertThat(last().body()).isEqualTo("{}");
    assertThat(run("queues", "requeue", "pack", "box", "j1", "j2", "j3", "j4", "j5")).isZero();
    assertThat(last().body()).isEqualTo("{\"ids\":[\"j1\",\"j2\",\"j3\",\"j4\",\"j5\"]}");
    assertThat(lines())
        .containsExactly(
            "Queue box is paused; 3 jobs wait.",
            "Queue box goes on.",
            "Requeued 2 jobs of box.",
            "Requeued 1 job of box. Redis has forgotten 1 job. Another job has the unique key of 2"
                + " jobs. Not among the flow's dead: 1 job.");
  }

  @Test
  void aJobIsShownWithItsChildren() {
    server.answer("GET", "/flows/pack/jobs/j1", 200, JOB);
    assertThat(run("jobs", "show", "pack", "j1")).isZero();
    assertThat(lines())
        .containsExactly(
            "pack j1: waiting in box behind 4",
            "Attempts that failed: 2",
            "Seconds until Redis forgets it: 86000",
            "Progress in percent: 40",
            "half",
            "size = 3",
            "name = \"Joe\"",
            "bad is not valid JSON: \"{\"",
            "box:fold c1: completed");
    server.answer(
        "GET",
        "/flows/pack/jobs?field=customer&value=A%2F17&limit=50",
        200,
        "{\"items\":[" + JOB + "],\"next\":\"50\"}");
    assertThat(run("jobs", "find", "pack", "customer", "A/17")).isZero();
    assertThat(lines())
        .endsWith(
            "ID STATE QUEUE CREATED ERROR",
            "j1 waiting box - -",
            "There are more: add --cursor 50");
  }

  @Test
  void jobsAreMadeAndDeleted() {
    server.answer("POST", "/flows/pack/jobs", 201, "{\"id\":\"j1\",\"created\":true}");
    server.answer("POST", "/flows/pack/jobs", 201, "{\"id\":\"j1\",\"created\":false}");
    assertThat(
            run(
                "jobs",
                "create",
                "pack",
                "--fields",
                "{\"a\":1}",
                "--field",
                "b=[2]",
                "--field",
                "c=text",
                "--delay",
                "5",
                "--priority",
                "1",
                "--unique",
                "k"))
        .isZero();
    assertThat(last().body())
        .isEqualTo(
            "{\"fields\":{\"a\":1,\"b\":[2],\"c\":\"text\"},\"delaySeconds\":5,\"priority\":1,"
                + "\"uniqueKey\":\"k\"}");
    assertThat(run("jobs", "create", "pack")).isZero();
    assertThat(run("jobs", "create", "pack", "--fields", "[]")).isEqualTo(ExitCodes.USAGE);
    server.answer("DELETE", "/flows/pack/jobs/j1", 204, "");
    assertThat(run("jobs", "delete", "pack", "j1")).isZero();
    assertThat(lines())
        .containsExactly(
            "Created job j1.", "Job j1 has this key, and has not finished.", "Job j1 is deleted.");
  }
}
