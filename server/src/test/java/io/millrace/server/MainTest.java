package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.store.sql.SqlStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class MainTest {

  @TempDir private Path folder;

  private record Run(int code, String out, String err) {}

  private static Run run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Main.run(new PrintWriter(out), new PrintWriter(err), arguments);
    return new Run(code, out.toString(), err.toString());
  }

  private String file(String text) throws IOException {
    return Files.writeString(folder.resolve("server-config.json"), text).toString();
  }

  @Test
  void helpNamesTheCommandsAndTheExitCodes() {
    Run help = run("--help");
    assertThat(help.code()).isZero();
    assertThat(help.out())
        .contains("server", "config", "schema", "doctor", "list", "retry", "Exit codes:");
    assertThat(run("config", "show", "--help").out()).contains("--config=FILE", "--debug");
    assertThat(run("--version").out()).startsWith("millrace ");
  }

  @Test
  void wrongUseIsTwo() {
    for (List<String> arguments :
        List.of(
            List.<String>of(),
            List.of("sever"),
            List.of("config"),
            List.of("schema", "print"),
            List.of("schema", "print", "--db", "oracle"),
            List.of("config", "show", "--jsn"))) {
      Run run = run(arguments.toArray(String[]::new));
      assertThat(run.code()).as("" + arguments).isEqualTo(2);
      assertThat(run.err()).as("" + arguments).startsWith("error: ").contains("--help");
      assertThat(run.out()).as("" + arguments).isEmpty();
    }
    assertThat(run("sever").err()).contains("server");
  }

  @Test
  void aNearMissIsAnsweredWithTheNearestName() {
    for (List<String> miss :
        List.of(
            List.of("instnaces", "millrace instances"),
            List.of("lst", "millrace list"),
            List.of("failure", "millrace failures"),
            List.of("sequences shwo Report", "millrace sequences show"),
            List.of("reduce gruops", "millrace reduce groups"),
            List.of("list --stauts failed", "--status"),
            List.of("list --stauts=failed", "--status"),
            List.of("retry 1 --reson x", "--reason"),
            List.of("config show --jsn", "--json"))) {
      Run run = run(miss.getFirst().split(" "));
      assertThat(run.code()).as(miss.getFirst()).isEqualTo(2);
      assertThat(run.err().lines())
          .as(miss.getFirst())
          .hasSize(3)
          .contains("Did you mean '" + miss.getLast() + "'?");
    }
    for (String far : List.of("xyzzy", "list --banana", "qq", "list -q", "show 1 2")) {
      assertThat(run(far.split(" ")).err()).as(far).doesNotContain("Did you mean");
    }
  }

  @Test
  void aWrongConfigurationIsOneAndSaysAllThatIsWrong() throws IOException {
    Run run = run("config", "show", "--config", file("http { prot = 1, bind = \"a b\" }"));
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err())
        .contains("http.prot (server-config.json line 1): unknown", "http.bind = a b")
        .doesNotContain("at io.millrace");
    assertThat(run("config", "show", "--debug", "--config", "none.json").err())
        .contains("none.json", "at io.millrace");
  }

  @Test
  void configShowTellsEveryKeyWithItsOrigin() throws IOException {
    String file = file("http.port = 8080\nsecurity.admin.password = hidden-for-good");
    Run text = run("config", "show", "--config", file);
    assertThat(text.code()).isZero();
    assertThat(text.out())
        .containsPattern("http\\.port +8080 +server-config\\.json line 1\\R")
        .containsPattern("http\\.bind +127\\.0\\.0\\.1 +default\\R")
        .containsPattern("http\\.tls\\.mode +- +default\\R")
        .containsPattern("security\\.admin\\.password +\\*\\*\\* +server-config\\.json line 2\\R")
        .doesNotContain("hidden");
    assertThat(run("config", "show", "--set", "--config", file).out().lines()).hasSize(2);
    JsonNode json =
        JsonMapper.shared().readTree(run("config", "show", "--json", "--config", file).out());
    assertThat(json.get(1).toString())
        .isEqualTo(
            "{\"key\":\"http.port\",\"value\":\"8080\",\"origin\":\"server-config.json line 1\","
                + "\"meaning\":\""
                + json.get(1).get("meaning").stringValue()
                + "\"}");
  }

  @Test
  void theDoctorMakesNoDatabaseInAnEmptyFolder() throws IOException {
    Path data = folder.resolve("data");
    for (Path base : List.of(data.resolve("millrace"), folder.resolve("millrace"))) {
      Run run =
          run(
              "doctor",
              "--config",
              file("database.url = \"jdbc:h2:file:" + base + "\"\nworkflows.folder = " + folder));
      assertThat(run.code()).as(run.out() + run.err()).isZero();
      assertThat(run.out())
          .contains("WARN  database", base + " does not exist yet", "OK    workflows", "0 failed");
      assertThat(data).doesNotExist();
      try (Stream<Path> files = Files.list(folder)) {
        assertThat(files).containsExactly(folder.resolve("server-config.json"));
      }
    }
  }

  @Test
  void helpIsACommandToo() {
    Run run = run("help", "retry");
    assertThat(run.code()).isZero();
    assertThat(run.out()).contains("Usage: millrace retry", "--reason");
    assertThat(run("help").out()).contains("Usage: millrace", "doctor");
  }

  @Test
  void theShellIsToldHowToCompleteAllCommands() {
    Run run = run("generate-completion");
    assertThat(run.code()).isZero();
    assertThat(run.out()).contains("complete -F", "doctor", "failures", "--business-key");
  }

  @Test
  void schemaPrintIsTheSchema() {
    Run run = run("schema", "print", "--db", "postgresql");
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .startsWith(SqlStore.printSchema("postgresql"))
        .contains("CREATE TABLE millrace_user", "CREATE TABLE millrace_report_pdf");
  }
}
