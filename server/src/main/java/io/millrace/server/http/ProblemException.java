package io.millrace.server.http;

import io.millrace.server.security.RejectedRequestException;
import java.util.List;
import java.util.Map;

/** The rejection of a request, with everything that its sender is told. */
public final class ProblemException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Problem problem;
  private final transient Map<String, String> headers;

  private ProblemException(Problem problem, Map<String, String> headers) {
    super(problem.detail(), null, false, false);
    this.problem = problem;
    this.headers = headers;
  }

  /** Returns a rejection with this status, for example 409. */
  public static ProblemException of(int status, String detail) {
    return new ProblemException(Problem.of(status, detail), Map.of());
  }

  static ProblemException of(RejectedRequestException rejectedRequestException) {
    return new ProblemException(
        Problem.of(rejectedRequestException), rejectedRequestException.headers());
  }

  /** Returns a rejection with status 404, for something that does not exist. */
  public static ProblemException notFound(String detail) {
    return of(404, detail);
  }

  /** Returns a rejection with status 400, for an invalid field or parameter. */
  public static ProblemException invalid(String field, String message) {
    ProblemType type = ProblemType.of(400);
    return new ProblemException(
        new Problem(
            type.code(),
            type.title(),
            400,
            "'" + field + "' " + message,
            null,
            List.of(new Problem.FieldError(field, message))),
        Map.of());
  }

  /** Returns a rejection with status 503 or 429, for a request that may succeed later. */
  public static ProblemException later(int status, int seconds, String detail) {
    return new ProblemException(
        Problem.of(status, detail), Map.of("Retry-After", String.valueOf(seconds)));
  }

  public Problem problem() {
    return problem;
  }

  /** Returns the headers of the response, such as Retry-After. */
  public Map<String, String> headers() {
    return headers;
  }
}
