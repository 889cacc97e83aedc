package io.millrace.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the requests of commands about shared data, and their output. */
class DataCommandsTest {

  private static final String VALUE = "/key-values/value?group=close&key=2026%2F47";
  private static final String FAILED =
      """
      {"schedule":"close","period":"2026-11-22","state":"failed","attempt":3,"token":7,
       "holder":"instance 17","executorId":3,"executionId":17,"leaseUntil":null,
       "claimed":"2026-11-22T09:00:00Z","ended":"2026-11-22T09:05:00Z","reason":"no books"}
      """;

  private final FakeServer server = new FakeServer();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir Path folder;

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
    return out.toString().lines().toList();
  }

  @Test
  void namesAreListedOneALine() {
    String names = "{\"items\":[\"close\",\"counters\"],\"next\":\"counters\"}";
    server.answer("GET", "/key-values/groups?limit=2&after=a%20b", 200, names);
    assertThat(run("key-values", "groups", "--limit", "2", "--after", "a b")).isZero();
    server.answer("GET", "/ledger/schedules?limit=50", 200, names);
    assertThat(run("ledger", "schedules")).isZero();
    assertThat(lines())
        .containsExactly(
            "close",
            "counters",
            "There are more: add --after counters",
            "close",
            "counters",
            "There are more: add --after counters");
  }

  @Test
  void valuesAreListedWithTheirVersions() {
    server.answer(
        "GET",
        "/key-values?group=close&limit=50&status=Error&status=Warning",
        200,
        """
        {"items":[{"key":"a","value":"x","status":"Error","version":3,"expires":null,
          "created":"2026-11-22T10:00:00Z","modified":"2026-11-22T10:30:00Z"}],"next":"c1"}
        """);
    assertThat(run("key-values", "list", "close", "--status", "Error", "--status", "Warning"))
        .isZero();
    assertThat(lines())
        .containsExactly(
            "KEY  VALUE  STATUS  VERSION  MODIFIED              EXPIRES",
            "a    x      Error   3        2026-11-22T10:30:00Z  -",
            "There are more: add --cursor c1");
  }

  @Test
  void aValueIsPrintedAlone() {
    server.answer("GET", VALUE, 200, "{\"key\":\"2026/47\",\"value\":\"begun\",\"version\":3}");
    assertThat(run("key-values", "get", "close", "2026/47")).isZero();
    assertThat(lines()).containsExactly("begun");
    assertThat(run("key-values", "get", "close", "nothing")).isEqualTo(ExitCodes.NOT_FOUND);
  }

  @Test
  void aValueIsWrittenUnderItsCondition() throws IOException {
    server.answer("PUT", VALUE, 200, "{\"version\":4}");
    assertThat(run("key-values", "set", "close", "2026/47", "begun")).isZero();
    assertThat(last().body()).isEqualTo("{\"value\":\"begun\"}");
    assertThat(last().headers()).doesNotContainKeys("If-match", "If-none-match");
    assertThat(lines()).containsExactly("Key '2026/47' in group 'close' has version 4 now.");

    assertThat(run("key-values", "set", "close", "2026/47", "x", "--if-absent")).isZero();
    assertThat(last().headers()).containsEntry("If-none-match", "*");
    Path file = Files.writeString(folder.resolve("value"), "of a file");
    assertThat(
            run(
                "key-values",
                "set",
                "close",
                "2026/47",
                "@" + file,
                "--if-version",
                "4",
                "--status",
                "Success",
                "--expires-after",
                "60"))
        .isZero();
    assertThat(last().headers()).containsEntry("If-match", "\"4\"");
    assertThat(last().body())
        .isEqualTo("{\"value\":\"of a file\",\"status\":\"Success\",\"expiresAfterSeconds\":60}");
    assertThat(run("key-values", "set", "g", "k", "v", "--if-absent", "--if-version", "4"))
        .isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void whatIsRefusedSaysWhy() {
    server.answer("DELETE", VALUE, 412, "{\"detail\":\"It has version 5 by now.\"}");
    assertThat(run("key-values", "delete", "close", "2026/47", "--if-version", "4"))
        .isEqualTo(ExitCodes.FAILED);
    assertThat(last().headers()).containsEntry("If-match", "\"4\"");
    assertThat(err.toString()).contains("It has version 5 by now.");
  }

  @Test
  void periodsAreListedWithTheirReasons() {
    server.answer(
        "GET",
        "/ledger?schedule=close&limit=50&from=2026-11-01&state=failed",
        200,
        "{\"items\":[" + FAILED + "],\"next\":null}");
    assertThat(run("ledger", "list", "close", "--from", "2026-11-01", "--state", "failed"))
        .isZero();
    assertThat(lines())
        .containsExactly(
            "PERIOD      STATE   ATTEMPT  HOLDER       INSTANCE  ENDED",
            "2026-11-22  failed  3        instance 17  17        2026-11-22T09:05:00Z",
            "    no books");
  }

  @Test
  void aPeriodIsExplainedInASentence() {
    server.answer("GET", "/ledger/period?schedule=close&period=2026-11-22", 200, FAILED);
    server.answer(
        "GET",
        "/ledger/period?schedule=close&period=2026-11-22",
        200,
        FAILED.replace("failed", "missed").replace("no books", "the window was over."));
    server.answer(
        "GET",
        "/ledger/period?schedule=close&period=2026-11-22",
        200,
        FAILED
            .replace("failed", "claimed")
            .replace("\"executionId\":17", "\"executionId\":null")
            .replace("\"leaseUntil\":null", "\"leaseUntil\":\"2026-11-22T09:15:00Z\""));
    for (int i = 0; i < 3; i++) {
      assertThat(run("ledger", "explain", "close", "2026-11-22")).isZero();
    }
    assertThat(lines())
        .containsExactly(
            "close in 2026-11-22 has failed at 2026-11-22T09:05:00Z by instance 17, in attempt 3:"
                + " no books.",
            "close in 2026-11-22 was missed: the window was over.",
            "close in 2026-11-22 is claimed since 2026-11-22T09:00:00Z by instance 17; others may"
                + " claim it at 2026-11-22T09:15:00Z.");
    assertThat(run("ledger", "explain", "close", "2026-11-23")).isEqualTo(ExitCodes.NOT_FOUND);
  }

  @Test
  void groupsOfRecordsAndTheirRecordsAreShown() {
    server.answer(
        "GET",
        "/reduce-groups?limit=1",
        200,
        """
        [{"name":"customers","generation":2,"committed":100,"pending":3,
          "created":"2026-11-22T10:00:00Z","modified":"2026-11-22T10:30:00Z"}]
        """);
    assertThat(run("reduce", "groups", "--limit", "1")).isZero();
    server.answer(
        "GET",
        "/reduce-groups/record?group=customers&key=A-17",
        200,
        """
        {"group":"customers","key":"A-17","state":"committed","why":"It was committed.",
         "generation":2,"committed":"2026-11-22T10:30:00Z","executionId":9,"reservedBy":null,
         "reservedUntil":null}
        """);
    assertThat(run("reduce", "why", "customers", "A-17")).isZero();
    assertThat(lines())
        .containsExactly(
            "GROUP      COMMITTED  PENDING  GENERATION  MODIFIED",
            "customers  100        3        2           2026-11-22T10:30:00Z",
            "There may be more: add --after customers",
            "A-17 is committed. It was committed.",
            "COMMITTED             INSTANCE  RESERVED BY  RESERVED UNTIL  GENERATION",
            "2026-11-22T10:30:00Z  9         -            -               2");
  }

  @Test
  void recordsAreForgottenWithAReason() {
    server.answer("POST", "/reduce-groups/reset", 200, "{\"generation\":3}");
    assertThat(run("reduce", "reset", "customers", "--reason", "new mapping")).isZero();
    assertThat(last().body()).isEqualTo("{\"group\":\"customers\",\"reason\":\"new mapping\"}");
    server.answer("POST", "/reduce-groups/forget", 200, "{\"forgotten\":1}");
    assertThat(run("reduce", "forget", "customers", "A-17", "A-18")).isZero();
    assertThat(last().body()).isEqualTo("{\"group\":\"customers\",\"keys\":[\"A-17\",\"A-18\"]}");
    assertThat(lines())
        .containsExactly(
            "customers is in generation 3: every record is new.", "1 of 2 are forgotten.");
    assertThat(run("reduce", "forget", "customers")).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void aDryRunReadsAFile() throws IOException {
    server.answer(
        "POST",
        "/reduce-groups/dry-run",
        200,
        """
        {"records":3,"new":{"count":1,"first":[{"id":1}]},"changed":{"count":0,"first":[]},
         "unchanged":{"count":1,"first":[{"id":2}]},"reserved":{"count":0,"first":[]},
         "faulty":1,"faults":[{"index":2,"message":"Record 2 has no key."}]}
        """);
    Path file = Files.writeString(folder.resolve("records.json"), "[{\"id\":1}]");
    assertThat(
            run(
                "reduce",
                "dry-run",
                "customers",
                file.toString(),
                "--id",
                "/id",
                "--ignore",
                "/at"))
        .isZero();
    assertThat(last().body())
        .isEqualTo(
            "{\"group\":\"customers\",\"key\":\"/id\",\"ignore\":[\"/at\"],"
                + "\"document\":[{\"id\":1}]}");
    assertThat(lines())
        .containsExactly(
            "WOULD BE   RECORDS  THE FIRST",
            "new        1        {\"id\":1}",
            "changed    0        -",
            "unchanged  1        {\"id\":2}",
            "reserved   0        -",
            "Record 2 has no key.");
    assertThat(run("reduce", "dry-run", "customers", folder.resolve("none").toString()))
        .isEqualTo(ExitCodes.USAGE);
  }
}
