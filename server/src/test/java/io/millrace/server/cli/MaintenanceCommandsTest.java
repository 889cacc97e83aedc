package io.millrace.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the requests of commands about maintenance, and their output. */
class MaintenanceCommandsTest {

  private final FakeServer server = new FakeServer();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @AfterEach
  void stop() {
    server.close();
  }

  private int run(String... args) {
    List<String> all = new ArrayList<>(List.of("maintenance"));
    all.addAll(List.of(args));
    return CliProgram.run(server, out, err, all);
  }

  private FakeServer.Asked last() {
    return server.asked().getLast();
  }

  @Test
  void aPlanIsSentWithWhatWasSaid() {
    server.answer("POST", "/maintenances", 201, "{\"id\":17,\"stage\":\"scheduled\"}");
    assertThat(
            run(
                "plan",
                "New disks",
                "--from",
                "2027-01-05T10:00:00Z",
                "--until",
                "2027-01-05T11:00:00Z",
                "--affected",
                "billing",
                "--impact",
                "delays",
                "--by-hand"))
        .isZero();
    assertThat(last().body())
        .isEqualTo(
            "{\"title\":\"New disks\",\"from\":\"2027-01-05T10:00:00Z\","
                + "\"until\":\"2027-01-05T11:00:00Z\",\"affected\":[\"billing\"],"
                + "\"impact\":\"delays\",\"automatic\":false}");
    assertThat(out.toString().strip()).isEqualTo("Maintenance 17 is planned.");
  }

  @Test
  void aPlanIsChanged() {
    server.answer("PUT", "/maintenances/17", 204, "");
    assertThat(run("plan", "Later", "--from", "a", "--until", "b", "--change", "17")).isZero();
    assertThat(last().line()).isEqualTo("PUT /api/v1/maintenances/17");
    assertThat(out.toString().strip()).isEqualTo("Maintenance 17 has a new plan.");
  }

  @Test
  void theListTellsStageAndTime() {
    server.answer(
        "GET",
        "/maintenances",
        200,
        """
        [{"id":17,"stage":"inProgress","plan":{"title":"New disks","from":"2027-01-05T10:00:00Z",
          "until":"2027-01-05T11:00:00Z"}}]
        """);
    assertThat(run("list")).isZero();
    assertThat(out.toString().lines())
        .contains("17  inProgress  2027-01-05T10:00:00Z  2027-01-05T11:00:00Z  New disks");
  }

  @Test
  void aStageIsAskedFor() {
    server.answer("POST", "/maintenances/17/advance", 204, "");
    assertThat(run("advance", "17", "completed", "--reason", "went well")).isZero();
    assertThat(last().body()).isEqualTo("{\"to\":\"completed\",\"reason\":\"went well\"}");
  }

  @Test
  void subscribersAreListedAddedAndRemoved() {
    server.answer(
        "GET",
        "/subscriptions?limit=50",
        200,
        """
        {"items":[{"id":3,"mail":"eve@example.org","webhook":null,"by":null,"created":"2027-01-01T00:00:00Z"}],
         "next":"c"}
        """);
    assertThat(run("subscribers")).isZero();
    assertThat(out.toString().lines())
        .contains(
            "3   eve@example.org  -         2027-01-01T00:00:00Z",
            "There are more: add --cursor c");

    server.answer("POST", "/subscriptions", 201, "{\"id\":4}");
    assertThat(run("subscribe", "--webhook", "https://hooks.example.org/x")).isZero();
    assertThat(last().body()).isEqualTo("{\"webhook\":\"https://hooks.example.org/x\"}");
    assertThat(run("subscribe")).isEqualTo(ExitCodes.USAGE);

    server.answer("DELETE", "/subscriptions/3", 204, "");
    assertThat(run("unsubscribe", "3")).isZero();
    assertThat(last().line()).isEqualTo("DELETE /api/v1/subscriptions/3");
  }
}
