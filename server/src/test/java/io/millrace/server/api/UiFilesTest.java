package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.Patience;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests the files of the UI below a context path, with and without a built UI. */
final class UiFilesTest {

  private static TestServer server;

  @BeforeAll
  static void start() {
    server = TestServer.start("jdbc:h2:mem:pages;DB_CLOSE_DELAY=-1;USER=sa", 0, "/mill");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void everyAddressOfTheUiIsItsFirstPage() throws Exception {
    for (String path : new String[] {"/mill/", "/mill/instances/17", "/mill/definitions/a.b"}) {
      HttpResponse<String> page = get(path, "text/html,*/*");
      assertThat(page.statusCode()).isEqualTo(200);
      assertThat(page.body()).contains("<base href=\"/mill/\">").contains("Millrace");
      assertThat(header(page, "Content-Type")).startsWith("text/html");
      assertThat(header(page, "Cache-Control")).isEqualTo("no-cache");
      assertThat(header(page, "X-Content-Type-Options")).isEqualTo("nosniff");
      assertThat(header(page, "Content-Security-Policy")).doesNotContain("unsafe");
    }
  }

  @Test
  void whatIsNoPageIsNotFound() throws Exception {
    assertThat(get("/mill/api/v1/nothing", "text/html").statusCode()).isEqualTo(404);
    assertThat(get("/mill/api", "text/html").statusCode()).isEqualTo(404);
    assertThat(get("/mill/assets/gone-1a2b.js", "text/html").statusCode()).isEqualTo(404);
    assertThat(get("/mill/instances/17", "application/json").statusCode()).isEqualTo(404);
    assertThat(get("/other", "text/html").statusCode()).isEqualTo(404);
  }

  @Test
  void filesArePackedForThoseWhoTakeIt() throws Exception {
    String path = "/mill/assets/packed-0a1b.js";
    HttpResponse<byte[]> plain = bytes(path, "Accept-Encoding", "br, gzip;q=0");
    HttpResponse<byte[]> packed = bytes(path, "Accept-Encoding", "br, gzip, deflate");
    assertThat(header(plain, "Content-Encoding")).isEmpty();
    assertThat(header(packed, "Content-Encoding")).isEqualTo("gzip");
    assertThat(packed.body().length).isLessThan(plain.body().length / 2);
    assertThat(new GZIPInputStream(new ByteArrayInputStream(packed.body())).readAllBytes())
        .isEqualTo(plain.body());
    assertThat(header(packed, "Content-Type")).startsWith("text/javascript");
    assertThat(header(packed, "Cache-Control")).contains("immutable");
    assertThat(header(plain, "Vary")).isEqualTo("Accept-Encoding");
    assertThat(header(packed, "Vary")).isEqualTo("Accept-Encoding");
    assertThat(header(packed, "ETag")).isNotEqualTo(header(plain, "ETag"));
  }

  @Test
  void aPageThatHasNotChangedIsNotSentAgain() throws Exception {
    String tag = header(get("/mill/", "text/html"), "ETag");
    HttpResponse<byte[]> again = bytes("/mill/", "If-None-Match", tag);
    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(header(again, "ETag")).isEqualTo(tag);
    assertThat(bytes("/mill/", "If-None-Match", "\"old\"").statusCode()).isEqualTo(200);
  }

  private static HttpResponse<byte[]> bytes(String path, String header, String value)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
            .header(header, value)
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofByteArray());
  }

  @Test
  void theInterfaceIsBelowTheContextPath() throws Exception {
    HttpResponse<String> list = get("/mill/api/v1/instances", "*/*");
    assertThat(list.statusCode()).isEqualTo(200);
    assertThat(header(list, "Cache-Control")).isEqualTo("no-store");
    assertThat(get("/api/v1/instances", "*/*").statusCode()).isEqualTo(404);
  }

  @Test
  void noPathLeadsOutOfTheUi() throws Exception {
    for (String path :
        new String[] {
          "/mill/../openapi.yaml",
          "/mill/%2e%2e/openapi.yaml",
          "/mill/..%2fopenapi.yaml",
          "/mill/..\\openapi.yaml",
          "/mill/assets/../../openapi.yaml",
          "/mill/assets//../openapi.yaml",
          "/mill/assets/%252e%252e/openapi.yaml"
        }) {
      assertThat(raw(path)).as(path).doesNotContain("openapi: 3");
    }
  }

  /** Sends a path unchanged, which a normal client would normalize. */
  private static String raw(String path) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(Math.toIntExact(Patience.LIMIT.toMillis()));
      String request = "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      StringBuilder answer = new StringBuilder();
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      in.lines().forEach(line -> answer.append(line).append('\n'));
      assertThat(answer.toString()).startsWith("HTTP/1.1 ");
      return answer.toString();
    }
  }

  private static HttpResponse<String> get(String path, String accept) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
            .header("Accept", accept)
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }
}
