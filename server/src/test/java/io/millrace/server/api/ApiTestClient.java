package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.Patience;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client that checks every response against the contract. */
final class ApiTestClient {

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private final HttpClient http = HttpClient.newHttpClient();
  private final OpenApiDocument contract = OpenApiDocument.CONTRACT;
  private final String base;

  ApiTestClient(int port) {
    this.base = "http://127.0.0.1:" + port;
  }

  /** A response. */
  record Reply(int status, HttpResponse<String> raw) {
    JsonNode json() {
      return MAPPER.readTree(raw.body());
    }

    String header(String name) {
      return raw.headers().firstValue(name).orElse("");
    }
  }

  Reply get(String path) {
    return send("GET", path, null, Map.of());
  }

  Reply post(String path, Object body) {
    return send("POST", path, MAPPER.writeValueAsString(body), Map.of());
  }

  Reply send(String method, String path, String body, Map<String, String> headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + path))
            .timeout(Patience.LIMIT)
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    headers.forEach(request::setHeader);
    try {
      Reply reply = reply(http.send(request.build(), HttpResponse.BodyHandlers.ofString()));
      check(method, path, reply);
      return reply;
    } catch (IOException e) {
      throw new AssertionError(method + " " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static Reply reply(HttpResponse<String> raw) {
    return new Reply(raw.statusCode(), raw);
  }

  private void check(String method, String path, Reply reply) {
    String what = method + " " + path + " -> " + reply.status() + " " + reply.raw().body();
    int question = path.indexOf('?');
    OpenApiDocument.Operation operation =
        contract.find(method, question < 0 ? path : path.substring(0, question)).orElse(null);
    if (reply.status() >= 400 && reply.header("Content-Type").startsWith("application/problem")) {
      assertThat(JsonSchemaValidator.faults(contract, contract.schema("Problem"), reply.json()))
          .as(what)
          .isEmpty();
      return;
    }
    assertThat(operation).as(what).isNotNull();
    assertThat(operation.responses()).as(what).containsKey(String.valueOf(reply.status()));
    contract
        .answer(operation, reply.status())
        .filter(schema -> reply.header("Content-Type").startsWith("application/json"))
        .ifPresent(schema ->
            assertThat(JsonSchemaValidator.faults(contract, schema, reply.json()))
                .as(what)
                .isEmpty());
  }
}
