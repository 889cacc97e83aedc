package io.millrace.server.api;

import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The contract of the HTTP interface. */
final class Contract {

  private static final String FILE = "/io/millrace/server/openapi.yaml";

  private final String text = read();

  private static String read() {
    try (InputStream in = Objects.requireNonNull(Contract.class.getResourceAsStream(FILE), FILE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Answer get(Call call) {
    return new Answer.Text(200, "application/yaml", text);
  }
}
