package io.millrace.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ClientCommandsTest {

  private final FakeServer server = new FakeServer();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @AfterEach
  void stop() {
    server.close();
  }

  private int run(String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--url", server.url(), "--key", "mr_test"));
    return runBare(all.toArray(String[]::new));
  }

  private int runBare(String... args) {
    CommandLine line = CliProgram.commands(args);
    return line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(args);
  }

  private List<String> lines() {
    return server.asked().stream().map(FakeServer.Asked::line).toList();
  }

  @Test
  void listSendsTheFiltersAndPrintsATable() {
    server.answer(
        "GET",
        "/instances?limit=2&type=order&status=failed&status=manual&key=A%2017&variable=city&value=%C3%85bo",
        200,
        """
        {"items":[{"id":4711,"type":"order","status":"failed","state":"ship","businessKey":"A 17",
         "created":"2026-11-21T08:00:00Z","nextActivation":null,"reason":"no such\\naddress"}],"next":"4711"}
        """);

    int exit =
        run(
            "list",
            "--limit",
            "2",
            "--type",
            "order",
            "--status",
            "failed,manual",
            "--find",
            "A 17",
            "--variable",
            "city=Åbo");

    assertThat(exit).as(err.toString()).isZero();
    assertThat(out.toString())
        .contains("ID", "4711  order  failed  ship", "no such address")
        .contains("--cursor 4711");
    assertThat(server.asked().getFirst().headers())
        .containsEntry("Authorization", "Bearer mr_test");
  }

  @Test
  void listCountsAndPrintsJson() {
    server.answer(
        "GET", "/instances/count?cap=1000000&type=order", 200, "{\"count\":7,\"capped\":false}");
    assertThat(run("list", "--count", "--type", "order", "--json")).isZero();
    assertThat(ApiClient.JSON.readTree(out.toString()).path("count").asInt()).isEqualTo(7);
  }

  @Test
  void controlCharactersDoNotReachTheTerminal() {
    server.answer(
        "GET",
        "/instances?limit=50",
        200,
        "{\"items\":[{\"id\":1,\"reason\":\"\\u001b[2Jgone\\u202etxt\"}],\"next\":null}");
    assertThat(run("list")).isZero();
    assertThat(out.toString())
        .contains("\uFFFD[2Jgone\uFFFDtxt")
        .doesNotContain("\u001b", "\u202e");
  }

  @Test
  void showPrintsWhyAndHidesSecrets() {
    server.answer(
        "GET",
        "/instances/5",
        200,
        """
        {"id":5,"type":"order","version":1,"status":"inProgress","state":"await","why":{"sentence":"It waits."},
         "created":"c","entered":"e","ended":null,"input":"{\\"n\\":1}"}
        """);
    server.answer(
        "GET",
        "/instances/5/variables",
        200,
        "[{\"name\":\"card\",\"json\":null,\"secret\":true},{\"name\":\"sum\",\"json\":\"12345678901234567890\",\"secret\":false}]");
    server.answer(
        "GET",
        "/instances/5/history?limit=1000",
        200,
        """
        {"items":[{"seq":1,"type":"stateExecution","from":"begin","to":"await","ended":"t1","reason":"stock reserved","signals":["paid"]},
         {"seq":2,"type":"wake","from":"await","to":"await","ended":"t2","actor":"ann"}],"next":null}
        """);
    assertThat(run("show", "5")).as(err.toString()).isZero();
    assertThat(out.toString())
        .contains("It waits.", "card = (secret)", "sum = 12345678901234567890")
        .contains("t1  #1 stateExecution  begin -> await (signals: paid): stock reserved")
        .contains("t2  #2 wake by ann  await");
  }

  @Test
  void watchPrintsWhatIsNewAndTellsByItsExitCodeHowItEnded() {
    server.answer(
        "GET",
        "/instances/5",
        200,
        "{\"status\":\"inProgress\",\"state\":\"a\",\"why\":{\"sentence\":\"Due.\"}}");
    server.answer(
        "GET",
        "/instances/5",
        200,
        "{\"status\":\"failed\",\"state\":\"a\",\"why\":{\"sentence\":\"Ended.\"}}");
    server.answer(
        "GET",
        "/instances/5/history?limit=1000&after=0",
        200,
        "{\"items\":[{\"seq\":1,\"type\":\"stateExecution\",\"from\":\"s\",\"to\":\"a\",\"ended\":\"t\"}],\"next\":null}");
    server.answer(
        "GET", "/instances/5/history?limit=1000&after=1", 200, "{\"items\":[],\"next\":null}");
    assertThat(run("watch", "5", "--every", "0.05")).isEqualTo(ExitCodes.FAILED);
    assertThat(out.toString().lines())
        .containsExactly(
            "  t  #1 stateExecution  s -> a", "inProgress in a. Due.", "failed in a. Ended.");
  }

  @Test
  void watchGoesOnWhileTheServerIsAway() {
    server.answer("GET", "/instances/5", 200, "{\"status\":\"inProgress\",\"state\":\"a\"}");
    server.answer("GET", "/instances/5", 503, "{\"detail\":\"The database is away.\"}");
    server.answer("GET", "/instances/5", 503, "{\"detail\":\"The database is away.\"}");
    server.answer("GET", "/instances/5", 200, "{\"status\":\"finished\",\"state\":\"a\"}");
    server.answer(
        "GET", "/instances/5/history?limit=1000&after=0", 200, "{\"items\":[],\"next\":null}");
    assertThat(run("watch", "5", "--every", "0.05")).isEqualTo(ExitCodes.OK);
    assertThat(out.toString().lines())
        .containsExactly(
            "inProgress in a. -",
            "No answer from the server; the watch goes on.",
            "finished in a. -");
  }

  @Test
  void watchDoesNotWaitForAServerThatHasNeverAnswered() {
    server.answer("GET", "/instances/5", 503, "{\"detail\":\"The database is away.\"}");
    assertThat(run("watch", "5")).isEqualTo(ExitCodes.UNREACHABLE);
    assertThat(err.toString()).contains("The database is away.");
  }

  @Test
  void aFileMayBeginWithAByteOrderMark(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("input.json"), "\uFEFF{\"a\":\"é\"}");

    assertThat(sent("start", "order", "--input", "@" + file))
        .isEqualTo(sent("start", "order", "--input", "{\"a\":\"é\"}"));
  }

  @Test
  void startSendsInputAndVariables(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("input.json"), "{\"sku\":\"x\"}");
    server.answer("POST", "/instances", 201, "{\"id\":9,\"created\":true}");
    assertThat(
            run(
                "start",
                "order",
                "--input",
                "@" + file,
                "--var",
                "n=1",
                "--var",
                "t=text",
                "--external-id",
                "A"))
        .isZero();
    assertThat(server.asked().getFirst().body())
        .isEqualTo(
            "{\"type\":\"order\",\"input\":{\"sku\":\"x\"},\"variables\":{\"n\":1,\"t\":\"text\"},\"externalId\":\"A\"}");
    assertThat(out.toString()).contains("Started instance 9");
  }

  @Test
  void startRefusesWhatIsNotJson() {
    assertThat(run("start", "order", "--input", "{oops")).isEqualTo(ExitCodes.USAGE);
    assertThat(err.toString()).contains("--input is not JSON").doesNotContain("Source");
    assertThat(run("start", "order", "--input", "@none.json")).isEqualTo(ExitCodes.USAGE);
    assertThat(err.toString()).contains("the file 'none.json', which does not exist.");
    assertThat(lines()).isEmpty();
  }

  @Test
  void jsonIsPrintedThoughTheServerAnswersWithNothing() {
    server.answer("POST", "/instances/1/retry", 204, "");
    server.answer("POST", "/instances/2/retry", 409, "{\"detail\":\"It has ended.\"}");
    assertThat(run("retry", "1", "2", "--json")).isEqualTo(ExitCodes.FAILED);
    assertThat(ApiClient.JSON.readTree(out.toString()).toString())
        .isEqualTo(
            "[{\"id\":1,\"done\":true,\"message\":\"retry done.\"},"
                + "{\"id\":2,\"done\":false,\"message\":\"It has ended.\"}]");

    out.getBuffer().setLength(0);
    server.answer("POST", "/instances/1/signals", 204, "");
    assertThat(run("signal", "1", "paid", "--json")).isZero();
    assertThat(ApiClient.JSON.readTree(out.toString()).path("message").asString())
        .isEqualTo("Sent 'paid' to instance 1.");
  }

  @Test
  void aRefusedSignalSaysWhy() {
    server.answer("POST", "/instances/1/signals", 409, "{\"detail\":\"The inbox is full.\"}");
    assertThat(run("signal", "1", "paid")).isEqualTo(ExitCodes.FAILED);
    assertThat(err.toString()).contains("The inbox is full.");
  }

  @Test
  void actionsWithIdsGoToEachAndReportTheWorst() {
    server.answer("POST", "/instances/1/retry", 204, "");
    server.answer("POST", "/instances/2/retry", 409, "{\"detail\":\"It has ended.\"}");
    server.answer("POST", "/instances/3/retry", 204, "");
    assertThat(run("retry", "1", "2", "3", "--reason", "gateway is back"))
        .isEqualTo(ExitCodes.FAILED);
    assertThat(out.toString())
        .contains(
            "Instance 1: retry done.", "Instance 2: It has ended.", "Instance 3: retry done.");
    assertThat(server.asked().getFirst().body()).isEqualTo("{\"reason\":\"gateway is back\"}");
  }

  @Test
  void aFilterIsCountedFirstAndTouchesNothing() {
    server.answer("POST", "/bulk", 200, "{\"count\":87,\"capped\":false}");
    assertThat(run("retry", "--failure", "abc")).isEqualTo(ExitCodes.USAGE);
    assertThat(out.toString()).contains("87 instances match. Nothing was done: add --yes 87.");
    assertThat(server.asked().getFirst().body())
        .isEqualTo("{\"action\":\"retry\",\"filter\":{\"failure\":\"abc\"},\"dryRun\":true}");
    assertThat(run("retry", "--failure", "abc", "--dry-run")).isZero();
  }

  @Test
  void aConfirmedFilterBeginsABulkRun() {
    server.answer(
        "POST",
        "/bulk",
        202,
        "{\"id\":50,\"action\":\"retry\",\"status\":\"created\",\"total\":87,\"done\":0,\"succeeded\":0,\"refused\":0}");
    assertThat(run("retry", "--failure", "abc", "--yes", "87")).isZero();
    assertThat(server.asked().getFirst().body())
        .isEqualTo("{\"action\":\"retry\",\"filter\":{\"failure\":\"abc\"},\"expectedCount\":87}");
    assertThat(server.asked().getFirst().headers()).containsKey("Idempotency-key");
    assertThat(out.toString()).contains("0 of 87 done", "millrace watch 50");
  }

  @Test
  void aBulkMoveCanBeForced() {
    server.answer(
        "POST",
        "/bulk",
        202,
        "{\"id\":51,\"action\":\"move\",\"status\":\"created\",\"total\":3,\"done\":0,\"succeeded\":0,\"refused\":0}");
    assertThat(run("bulk", "move", "--type", "order", "--to", "ship", "--force", "--yes", "3"))
        .isZero();
    assertThat(server.asked().getFirst().body())
        .isEqualTo(
            "{\"action\":\"move\",\"filter\":{\"type\":[\"order\"]},\"state\":\"ship\",\"force\":true,\"expectedCount\":3}");
  }

  @Test
  void idsAndFiltersDoNotMixAndNeitherIsNothing() {
    assertThat(run("cancel")).isEqualTo(ExitCodes.USAGE);
    assertThat(run("cancel", "1", "--type", "order")).isEqualTo(ExitCodes.USAGE);
    assertThat(run("cancel", "1", "--dry-run")).isEqualTo(ExitCodes.USAGE);
    assertThat(run("bulk", "cancel")).isEqualTo(ExitCodes.USAGE);
    assertThat(lines()).isEmpty();
  }

  @Test
  void theOtherCommandsAskTheRightThings() {
    server.answer("POST", "/instances/1/signals", 204, "");
    server.answer("POST", "/instances/1/move", 204, "");
    server.answer("POST", "/instances/1/wake", 200, "{\"result\":\"woken\"}");
    server.answer("PATCH", "/instances/1/variables", 204, "");
    server.answer("GET", "/instances/1/variables", 200, "[]");
    server.answer("POST", "/executors/2/drain", 204, "");
    server.answer("GET", "/executors", 200, "[]");
    server.answer("GET", "/definitions", 200, "[]");
    server.answer("GET", "/definitions/a%2Fb%20c", 200, "{\"states\":[],\"transitions\":[]}");
    server.answer("GET", "/failures?limit=1000&type=order", 200, "[]");
    server.answer(
        "GET",
        "/audit?limit=50&actor=ann&from=2026-11-21T08%3A00%3A00Z",
        200,
        "{\"items\":[],\"next\":null}");
    server.answer(
        "GET", "/bulk/50", 200, "{\"id\":50,\"refusals\":[{\"id\":1,\"message\":\"ended\"}]}");

    assertThat(run("signal", "1", "paid", "--payload", "{\"sum\":1}", "--once", "k")).isZero();
    assertThat(run("move", "1", "ship", "--from", "pay", "--reason", "r")).isZero();
    assertThat(run("move", "1", "ship", "--force")).isZero();
    assertThat(run("wake", "1", "--from", "pay")).isZero();
    assertThat(run("wake", "--type", "order", "--from", "pay")).isEqualTo(ExitCodes.USAGE);
    assertThat(run("variables", "1", "--set", "a=1", "--remove", "b")).isZero();
    assertThat(run("drain", "2")).isZero();
    assertThat(run("executors")).isZero();
    assertThat(run("definitions")).isZero();
    assertThat(run("definitions", "a/b c")).isZero();
    assertThat(run("failures", "--type", "order")).isZero();
    assertThat(run("audit", "--actor", "ann", "--from", "2026-11-21T08:00:00Z")).isZero();
    assertThat(run("bulk", "50")).isZero();

    assertThat(server.asked().stream().map(FakeServer.Asked::body).filter(b -> !b.isEmpty()))
        .containsExactly(
            "{\"name\":\"paid\",\"payload\":{\"sum\":1},\"key\":\"k\"}",
            "{\"state\":\"ship\",\"expectedState\":\"pay\",\"reason\":\"r\"}",
            "{\"state\":\"ship\",\"force\":true}",
            "{\"expectedState\":\"pay\"}",
            "{\"set\":{\"a\":1},\"remove\":[\"b\"]}",
            "{}");
    assertThat(out.toString()).contains("Nothing has failed.", "1: ended");
  }

  @Test
  void failuresShowTheMessageAndNotThePackageOfTheException() {
    String message = "the gateway at payments.example.com did not answer within 30 seconds, try 5";
    server.answer(
        "GET",
        "/failures?limit=1000",
        200,
        """
        [{"fingerprint":"f1","count":87,"type":"order","state":"CHARGE","newestId":4711,
          "last":"2026-11-21T08:00:01.123456Z",
          "reason":"io.millrace.demo.shop.PaymentGateway$GatewayTimeoutException: %s"}]
        """
            .formatted(message));

    assertThat(run("failures")).as(err.toString()).isZero();

    assertThat(out.toString().lines().skip(1).findFirst().orElseThrow())
        .isEqualTo(
            "f1           87     order  CHARGE  2026-11-21T08:00:01Z  4711   "
                + " GatewayTimeoutException: "
                + message);
  }

  @Test
  void onlyTheLastColumnIsLongAndItEndsToo() {
    String longText = "x".repeat(200);
    server.answer(
        "GET",
        "/instances?limit=50",
        200,
        """
        {"items":[{"id":1,"type":"%s","status":"failed","state":"s","businessKey":null,
         "created":"2026-11-21T08:00:00.5Z","nextActivation":"2026-11-21T08:00:00.000001Z","reason":"%s"}]}
        """
            .formatted(longText, longText));

    assertThat(run("list")).as(err.toString()).isZero();

    assertThat(out.toString())
        .contains(
            "1   " + "x".repeat(59) + "…  failed  s",
            "2026-11-21T08:00:00Z  2026-11-21T08:00:00Z  " + "x".repeat(159) + "…\n")
        .doesNotContain("x".repeat(160));
  }

  @Test
  void timesInTablesAreToTheSecondAndValuesOfUsersStayAsTheyAre() {
    server.answer(
        "GET",
        "/audit?limit=50",
        200,
        """
        {"items":[{"at":"2026-11-21T08:00:01.999999Z","actor":"ann","action":"retry",
          "target":"2026-11-21T08:00:01.999999Z","reason":null}],"next":null}
        """);

    assertThat(run("audit")).as(err.toString()).isZero();

    assertThat(out.toString())
        .contains("2026-11-21T08:00:01Z  ann    retry")
        .contains("2026-11-21T08:00:01.999999Z");
  }

  @Test
  void errorsAreOneLineAndHaveAnExitCodeOfTheirOwn() {
    server.answer("GET", "/instances/1", 401, "{\"detail\":\"No key.\"}");
    assertThat(run("show", "1")).isEqualTo(ExitCodes.FORBIDDEN);
    assertThat(err.toString().lines())
        .containsExactly(
            "error: No key. Give an API key with --key, MILLRACE_API_KEY or"
                + " MILLRACE_API_KEY_FILE.");
    assertThat(run("show", "2")).isEqualTo(ExitCodes.NOT_FOUND);
    assertThat(runBare("show", "1", "--url", "ftp://x")).isEqualTo(ExitCodes.USAGE);
    assertThat(runBare("show", "1", "--url", "http://bad host")).isEqualTo(ExitCodes.USAGE);
    assertThat(run("show", "notanumber")).isEqualTo(ExitCodes.USAGE);

    // nothing listens at the first port of a machine
    assertThat(runBare("show", "1", "--url", "http://127.0.0.1:1"))
        .isEqualTo(ExitCodes.UNREACHABLE);
    assertThat(err.toString()).contains("Start one with 'millrace server'");
  }

  @Test
  void anAnswerThatIsNotJsonIsAnError() {
    server.answer("GET", "/executors", 200, "<html>a proxy's page</html>");
    assertThat(run("executors")).isEqualTo(ExitCodes.FAILED);
    assertThat(err.toString()).contains("answered with HTTP status 200");
  }

  @Test
  void everyCommandHasHelpAndADescription() {
    CliProgram.commands().getSubcommands().values().forEach(ClientCommandsTest::requireHelp);
  }

  private static void requireHelp(CommandLine line) {
    String name = line.getCommandName();
    assertThat(line.getCommandSpec().usageMessage().description()).as(name).isNotEmpty();
    if (line.getSubcommands().isEmpty()) {
      assertThat(line.getUsageMessage()).contains(name, "--url", "--json");
    } else {
      line.getSubcommands().values().forEach(ClientCommandsTest::requireHelp);
    }
  }

  private String sent(String... args) {
    server.answer("POST", "/instances", 201, "{\"id\":1,\"created\":true}");
    assertThat(run(args)).as(err.toString()).isZero();
    return server.asked().getLast().body();
  }

  @Test
  void numbersAreSentAsTheyAreTyped() throws IOException {
    String typed =
        "{\"id\":3544790567247868102,\"amount\":3544790567247868102.25,\"price\":1.10,"
            + "\"small\":0.1000000000000000055511151231257827}";
    String whole = "{\"type\":\"order\",\"input\":%s}";
    assertThat(sent("start", "order", "--input", typed)).isEqualTo(whole.formatted(typed));
    assertThat(sent("start", "order", "--input", "1e400")).isEqualTo(whole.formatted("1E+400"));
    String digits = "7".repeat(1_500);
    assertThat(sent("start", "order", "--input", digits)).isEqualTo(whole.formatted(digits));
    Path file = Files.writeString(Files.createTempFile("in", ".json"), typed);
    assertThat(sent("start", "order", "--input", "@" + file)).isEqualTo(whole.formatted(typed));
    Files.delete(file);
    assertThat(sent("start", "order", "--var", "n=0.10", "--var", "m=" + digits))
        .isEqualTo("{\"type\":\"order\",\"variables\":{\"n\":0.10,\"m\":" + digits + "}}");
  }

  @Test
  void numbersAreShownAsTheyAreStored() {
    String amount = "3544790567247868102.250";
    server.answer("GET", "/instances/count?cap=1000000", 200, "{\"count\":" + amount + "}");
    assertThat(run("list", "--count", "--json")).isZero();
    assertThat(out.toString()).contains(amount);
  }

  @Test
  void aVariableThatBeginsLikeJsonIsATextAsAWhole() {
    assertThat(sent("start", "order", "--var", "street=1 High St", "--var", "none="))
        .isEqualTo("{\"type\":\"order\",\"variables\":{\"street\":\"1 High St\",\"none\":\"\"}}");
  }

  @Test
  void whatWouldNotArriveAsTypedIsRefused() {
    for (List<String> wrong :
        List.of(
            List.of("--input", "{\"a\":1,\"a\":2}", "--input is not JSON: Duplicate"),
            List.of("--var", "v={\"a\":1,\"a\":2}", "--var v is not JSON: Duplicate"),
            List.of("--input", "1 2", "--input is not JSON"),
            List.of("--input", "", "--input is empty"),
            List.of("--input", "\"x\\ud83d\"", "half of a surrogate pair"),
            List.of("--var", "v=[\"\\ude00\"]", "half of a surrogate pair"))) {
      err.getBuffer().setLength(0);
      assertThat(run("start", "order", wrong.get(0), wrong.get(1))).as(wrong.get(1)).isEqualTo(2);
      assertThat(err.toString()).contains(wrong.get(2));
    }
    assertThat(server.asked()).isEmpty();
  }
}
