package io.millrace.server.cli;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonFactoryBuilder;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A client of the server's HTTP interface. Every response that is not a success becomes a {@link
 * CliException}.
 */
final class ApiClient implements AutoCloseable {
  private static final int MAX_DIGITS = 1_000_000;

  /** The mapper for requests and responses; numbers keep all their digits in both directions. */
  static final JsonMapper JSON = mapper(JsonFactory.builder());

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
  private final String base;
  private final @Nullable String key;
  private final Duration limit;

  /**
   * @param url the server's address, with its context path
   * @param key an API key; null for none
   */
  ApiClient(String url, @Nullable String key) {
    this(url, key, LIMIT);
  }

  /**
   * @param limit longest time to wait for a response
   */
  ApiClient(String url, @Nullable String key, Duration limit) {
    this.limit = limit;
    this.base = (url.endsWith("/") ? url.substring(0, url.length() - 1) : url) + "/api/v1";
    this.key = key;
    uri("");
  }

  /** Returns a text as a part of a path or query. */
  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Returns a mapper that changes no number; the server limits the number of digits. */
  static JsonMapper mapper(JsonFactoryBuilder factory) {
    return JsonMapper.builder(
            factory
                .streamReadConstraints(
                    StreamReadConstraints.builder().maxNumberLength(MAX_DIGITS).build())
                .build())
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
        .build();
  }

  /** Returns the bytes of a document. */
  byte[] document(String path) {
    HttpRequest.Builder request = request(path).header("Accept", "application/pdf, */*");
    HttpResponse<byte[]> response = exchange(request.GET().build(), BodyHandlers.ofByteArray());
    if (response.statusCode() / 100 != 2) {
      answer(response.statusCode(), new String(response.body(), StandardCharsets.UTF_8));
    }
    return response.body();
  }

  /**
   * Sends a request and returns the answer; a missing node if it is empty.
   *
   * @param headers further headers of the request
   */
  JsonNode send(String method, String path, @Nullable JsonNode body, Map<String, String> headers) {
    HttpRequest.Builder request = request(path).header("Accept", "application/json");
    headers.forEach(request::header);
    if (body == null) {
      request.method(method, BodyPublishers.noBody());
    } else {
      request.header("Content-Type", "application/json");
      request.method(method, BodyPublishers.ofString(written(body)));
    }
    HttpResponse<String> response = exchange(request.build(), BodyHandlers.ofString());
    return answer(response.statusCode(), response.body());
  }

  /**
   * Returns the JSON text of a body. Rejects half of a surrogate pair, which would become a
   * question mark in UTF-8.
   */
  private static String written(JsonNode body) {
    String json = JSON.writeValueAsString(body);
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(json)) {
      throw new CliException(
          ExitCodes.USAGE,
          "What was given has half of a surrogate pair, an escape from \\ud800 to \\udfff without"
              + " its other half; expected whole characters.");
    }
    return json;
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri(path)).timeout(limit);
    if (key != null) {
      request.header("Authorization", "Bearer " + key);
    }
    return request;
  }

  private <T> HttpResponse<T> exchange(HttpRequest request, BodyHandler<T> handler) {
    try {
      return http.send(request, handler);
    } catch (HttpConnectTimeoutException e) {
      throw unreachable(e);
    } catch (HttpTimeoutException e) {
      throw new CliException(
          ExitCodes.UNREACHABLE,
          "The server at "
              + base
              + " has not answered within "
              + limit.toSeconds()
              + " s; it may still be doing it. Look at what has become of it before you try"
              + " again.");
    } catch (IOException e) {
      throw unreachable(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CliException(ExitCodes.FAILED, "Interrupted.");
    }
  }

  private CliException unreachable(IOException e) {
    String cause = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return new CliException(
        ExitCodes.UNREACHABLE,
        "No server answers at "
            + base
            + " ("
            + cause
            + "). Start one with 'millrace server', or name its address with --url or"
            + " MILLRACE_URL.");
  }

  private JsonNode answer(int status, String body) {
    JsonNode json = parse(body);
    if (status / 100 == 2 && json != null) {
      return json;
    }
    String detail =
        json != null && json.path("detail").isString()
            ? json.path("detail").asString()
            : "The server at " + base + " answered with HTTP status " + status + ".";
    throw switch (status) {
      case 401 ->
          new CliException(
              ExitCodes.FORBIDDEN,
              detail + " Give an API key with --key, MILLRACE_API_KEY or MILLRACE_API_KEY_FILE.");
      case 403 -> new CliException(ExitCodes.FORBIDDEN, detail);
      case 404 -> new CliException(ExitCodes.NOT_FOUND, detail);
      case 502, 503, 504 -> new CliException(ExitCodes.UNREACHABLE, detail);
      default -> new CliException(ExitCodes.FAILED, detail);
    };
  }

  /** Returns the body as JSON, an empty node for an empty body, null if it is something else. */
  private static @Nullable JsonNode parse(String body) {
    if (body.isBlank()) {
      return JSON.missingNode();
    }
    try {
      return JSON.readTree(body);
    } catch (JacksonException e) {
      return null;
    }
  }

  private URI uri(String path) {
    try {
      URI uri = URI.create(base + path);
      if (uri.getHost() != null
          && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // Reported below.
    }
    throw new CliException(
        ExitCodes.USAGE,
        "The server's address is '" + base + "'; expected one like http://127.0.0.1:7500.");
  }

  @Override
  public void close() {
    http.close();
  }
}
