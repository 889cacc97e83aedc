package io.millrace.report.source;

import io.millrace.report.source.HttpEndpoint.Credentials;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Client that sends JSON to one server and reads its answers. Thread-safe. */
final class JsonHttpClient {

  static final JsonMapper JSON = new JsonMapper();

  private static final int LARGEST_ANSWER = 32 * 1024 * 1024;
  private static final Duration CONNECT = Duration.ofSeconds(10);

  private final String product;
  private final HttpEndpoint server;
  private final HttpClient client;

  JsonHttpClient(String product, HttpEndpoint server) {
    this.product = product;
    this.server = server;
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(CONNECT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .version(HttpClient.Version.HTTP_1_1)
            .build();
  }

  /** Sends a request and reads the answer, which is a JSON object. */
  JsonNode send(String method, String path, JsonNode body, Duration timeout) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.resolve(path))
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .method(method, BodyPublishers.ofString(body.toString()));
    switch (server.credentials()) {
      case Credentials.None none -> {}
      case Credentials.Basic basic -> request.header("Authorization", basic.header());
      case Credentials.ApiKey key -> request.header("Authorization", "ApiKey " + key.value());
    }
    HttpResponse<byte[]> response = exchange(request.build(), timeout);
    String text = new String(response.body(), StandardCharsets.UTF_8);
    if (response.statusCode() / 100 != 2) {
      throw refused(response.statusCode(), path, text);
    }
    return parse(path, text);
  }

  /** Waits for the whole answer, because the timeout of a request covers only the headers. */
  private HttpResponse<byte[]> exchange(HttpRequest request, Duration timeout) {
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.sendAsync(request, head -> new LimitedBodySubscriber(LARGEST_ANSWER));
    try {
      return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new SourceException(
          whereOf(request.uri()) + " did not answer within " + timeout.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw new SourceException("Waiting for " + whereOf(request.uri()) + " was interrupted", e);
    } catch (ExecutionException e) {
      throw failed(request, timeout, e.getCause());
    }
  }

  private SourceException failed(HttpRequest request, Duration timeout, @Nullable Throwable cause) {
    String where = whereOf(request.uri());
    return switch (cause) {
      case HttpTimeoutException slow ->
          new SourceException(where + " did not answer within " + timeout.toSeconds() + " s", slow);
      case ConnectException away ->
          new SourceException(
              where + " cannot be reached; is it running, and is the address right?", away);
      case null -> new SourceException(where + " cannot be read");
      default -> new SourceException(where + " cannot be read: " + cause.getMessage(), cause);
    };
  }

  private SourceException refused(int status, String path, String text) {
    String where = whereOf(server.resolve(path));
    String said = text.isBlank() ? "" : " It says: " + Placeholders.shorten(text);
    return switch (status) {
      case 401, 403 ->
          new SourceException(
              where + " refused the credentials (" + status + "); check user and password." + said);
      case 404 ->
          new SourceException(
              where + " does not exist (404); check the address, database or index." + said);
      default -> new SourceException(where + " answered " + status + "." + said);
    };
  }

  private JsonNode parse(String path, String text) {
    try {
      JsonNode node = JSON.readTree(text);
      if (node.isObject()) {
        return node;
      }
    } catch (JacksonException e) {
      throw new SourceException(notJson(path, text), e);
    }
    throw new SourceException(notJson(path, text));
  }

  private String notJson(String path, String text) {
    return whereOf(server.resolve(path))
        + " answered with something else than a JSON object: "
        + Placeholders.shorten(text);
  }

  private String whereOf(URI uri) {
    return product + " at " + uri.getScheme() + "://" + uri.getAuthority() + uri.getPath();
  }
}
