package io.millrace.server.api;

import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The resource that returns the contract of the HTTP interface. */
final class OpenApiResource {

  private static final String FILE = "/io/millrace/server/openapi.yaml";

  private final String text = read();

  private static String read() {
    try (InputStream in =
        Objects.requireNonNull(OpenApiResource.class.getResourceAsStream(FILE), FILE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  ApiResponse get(ApiRequest request) {
    return new ApiResponse.Text(200, "application/yaml", text);
  }
}
