package io.millrace.server.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.server.security.RejectedRequestException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An error in the form of RFC 9457.
 *
 * @param type a short name, such as not-found
 * @param detail what was wrong, what was expected, and what to do
 * @param instance the request's path
 * @param errors one entry for each invalid field; empty if there is none
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Problem(
    String type,
    String title,
    int status,
    String detail,
    @Nullable String instance,
    List<FieldError> errors) {

  public static final String CONTENT_TYPE = "application/problem+json";

  /** An error in one field or parameter. */
  public record FieldError(String field, String message) {}

  public Problem {
    errors = List.copyOf(errors);
  }

  static Problem of(RejectedRequestException rejectedRequestException) {
    RejectedRequestException.Kind kind = rejectedRequestException.kind();
    return new Problem(
        kind.type(),
        kind.title(),
        kind.status(),
        rejectedRequestException.detail(),
        null,
        List.of());
  }

  /** Returns a problem with the type and title of its status. */
  static Problem of(int status, String detail) {
    ProblemType type = ProblemType.of(status);
    return new Problem(type.code(), type.title(), status, detail, null, List.of());
  }

  Problem at(String path) {
    return new Problem(type, title, status, detail, path, errors);
  }
}
