package io.millrace.server.api;

import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.ProblemException;

/** Settings and metrics. */
final class Environment {

  private final Surroundings surroundings;

  Environment(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  Answer settings(Call call) {
    return Answer.json(surroundings.settings().get());
  }

  Answer metrics(Call call) {
    String text = surroundings.metrics().get();
    if (text == null) {
      throw ProblemException.notFound("Metrics are switched off in the configuration.");
    }
    return new Answer.Text(200, "text/plain; version=0.0.4; charset=utf-8", text);
  }
}
