package io.millrace.report.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.report.Patience;
import io.millrace.schedule.DataWindow;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class Neo4jTest {

  private static final DataWindow WEEK =
      new DataWindow(Instant.parse("2026-11-16T00:00:00Z"), Instant.parse("2026-11-23T00:00:00Z"));

  /** Answer in the form of Neo4j 5. */
  private static final String ANSWER =
      """
      {"results":[{"columns":["day","builds","share"],"data":[
        {"row":["2026-11-16",12,0.5],"meta":[null,null,null]},
        {"row":["2026-11-17",7,null],"meta":[null,null,null]}]}],
       "errors":[],"lastBookmarks":["FB:kcwQ"]}
      """;

  private final StubHttpServer server = new StubHttpServer();

  Neo4jTest() throws IOException {}

  @AfterEach
  void stop() {
    server.close();
  }

  private ResultTable read(String cypher) {
    return read(server.address(), cypher);
  }

  private static ResultTable read(String address, String cypher) {
    return new Neo4j(HttpEndpoint.at(address).user("neo4j", "s3cret"), "neo4j")
        .read(new SourceQuery(cypher, WEEK, Patience.LIMIT, 100));
  }

  @Test
  void asksInATransactionWithParameters() {
    server.answer(200, ANSWER);
    ResultTable resultTable =
        read("MATCH (b:BUILD) WHERE b.at >= {startTime} AND b.s < {endTime:seconds} RETURN 1");
    assertThat(resultTable.columns()).containsExactly("day", "builds", "share");
    assertThat(resultTable.rows())
        .containsExactly(List.of("2026-11-16", 12, 0.5), Arrays.asList("2026-11-17", 7, null));

    StubHttpServer.RecordedRequest recordedRequest = server.asked().getFirst();
    assertThat(recordedRequest.method() + " " + recordedRequest.path())
        .isEqualTo("POST /db/neo4j/tx/commit");
    assertThat(recordedRequest.authorization()).isEqualTo("Basic bmVvNGo6czNjcmV0");
    assertThat(recordedRequest.body().toString())
        .isEqualTo(
            "{\"statements\":[{\"statement\":\"MATCH (b:BUILD) WHERE b.at >= datetime($startTime)"
                + " AND b.s < $endTimeSeconds RETURN 1\",\"parameters\":{\"startTime\":"
                + "\"2026-11-16T00:00:00Z\",\"endTimeSeconds\":1795392000}}]}");
  }

  private String sent(String cypher) {
    server.answer(200, ANSWER);
    read(cypher);
    return server.asked().getLast().body().path("statements").path(0).path("statement").asString();
  }

  @Test
  void arrowsAreNoComments() {
    for (String path : List.of("(a)-->(b)", "(a)<--(b)", "(a)--(b)", "(a)-[:R]->(b)<--(c)")) {
      assertThat(sent("MATCH " + path + " WHERE b.at >= {startTime} RETURN count(*) AS n"))
          .isEqualTo("MATCH " + path + " WHERE b.at >= datetime($startTime) RETURN count(*) AS n");
      assertThat(server.asked().getLast().body().toString()).contains("2026-11-16T00:00:00Z");
    }
  }

  @Test
  void textNamesAndCommentsOfCypherStayAsTheyAre() {
    String end = " AND b.at < {endTime:millis} RETURN 1";
    for (String part :
        List.of(
            "b.name = 'it\\'s'",
            "b.name = \"say \\\"don't\\\"\"",
            "b.`don't` = 1",
            "b.url = 'http://mill' // don't {startTime}\n",
            "b.n = 1 /* don't {startTime} // */",
            "b.path = 'c:\\\\'",
            "b.text = '" + "long ".repeat(20_000) + "'")) {
      assertThat(sent("MATCH (b) WHERE " + part + end))
          .isEqualTo("MATCH (b) WHERE " + part + " AND b.at < $endTimeMillis RETURN 1");
    }
    for (String quoted : List.of("'{startTime}'", "\"{startTime}\"", "`{startTime}`")) {
      assertThatThrownBy(() -> read("MATCH (b) WHERE b.at > " + quoted + " RETURN 1"))
          .isInstanceOf(SourceException.class)
          .hasMessageContaining("leave the quotes out");
    }
  }

  @Test
  void anErrorInTheAnswerIsAnError() {
    server.answer(
        200,
        """
        {"results":[],"errors":[{"code":"Neo.ClientError.Statement.SyntaxError",
         "message":"Invalid input 'MTCH': expected \\"MATCH\\""}]}
        """);
    assertThatThrownBy(() -> read("MTCH (n)"))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining("Neo.ClientError.Statement.SyntaxError")
        .hasMessageContaining("Invalid input 'MTCH'")
        .hasMessageContaining("MTCH (n)");
  }

  @Test
  void everyOtherFaultSaysWhatToDo() {
    server.answer(401, "{\"errors\":[{\"code\":\"Neo.ClientError.Security.Unauthorized\"}]}");
    assertThatThrownBy(() -> read("RETURN 1"))
        .hasMessageContaining("401")
        .hasMessageContaining("check user and password")
        .hasMessageNotContaining("s3cret");
    server.answer(404, "");
    assertThatThrownBy(() -> read("RETURN 1"))
        .hasMessageContaining("does not exist (404)")
        .hasMessageContaining("/db/neo4j/tx/commit");
    server.answer(503, "restarting");
    assertThatThrownBy(() -> read("RETURN 1"))
        .hasMessageContaining("503")
        .hasMessageContaining("restarting");
    server.answer(200, "<html>a proxy</html>");
    assertThatThrownBy(() -> read("RETURN 1")).hasMessageContaining("<html>a proxy</html>");
    server.answer(200, "[]");
    assertThatThrownBy(() -> read("RETURN 1")).hasMessageContaining("JSON object");
    server.answer(200, "{\"errors\":[]}");
    assertThatThrownBy(() -> read("RETURN 1")).hasMessageContaining("without 'results'");
  }

  @Test
  void aServerThatBreaksOffOrIsAwayDoesNotHoldTheTask() throws IOException {
    server.answerNever();
    Neo4j slow = new Neo4j(HttpEndpoint.at(server.address()), "neo4j");
    assertThatThrownBy(
            () -> slow.read(new SourceQuery("RETURN 1", WEEK, Duration.ofMillis(200), 1)))
        .isInstanceOf(SourceException.class)
        .hasMessageContaining("did not answer within");
    // The port is bound, and nothing accepts connections there.
    try (Socket mute = new Socket()) {
      mute.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      String away = "http://127.0.0.1:" + mute.getLocalPort();
      assertThatThrownBy(() -> read(away, "RETURN 1")).hasMessageContaining("cannot be reached");
    }
  }

  @Test
  void addressesAndNamesAreChecked() {
    assertThatThrownBy(() -> HttpEndpoint.at("http://user:pw@host")).hasMessageContaining("apart");
    assertThatThrownBy(() -> HttpEndpoint.at("ftp://host")).hasMessageContaining("https://");
    assertThatThrownBy(() -> new Neo4j(HttpEndpoint.at("http://h"), "a/../b"))
        .hasMessageContaining("no name of a Neo4j database");
    assertThat(HttpEndpoint.at("http://h").user("u", "secret").toString()).doesNotContain("secret");
    assertThat(HttpEndpoint.at("http://h").apiKey("secret").toString()).doesNotContain("secret");
  }
}
