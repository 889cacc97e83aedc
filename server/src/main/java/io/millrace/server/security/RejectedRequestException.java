package io.millrace.server.security;

import java.time.Duration;
import java.util.Map;

/**
 * The rejection of a request, with what the caller is told. It becomes a problem document: {@link
 * Kind#type}, {@link Kind#title}, {@link Kind#status}, the message as detail, and {@link #headers}.
 */
public final class RejectedRequestException extends RuntimeException {

  /** The reason of a rejection. */
  public enum Kind {
    INVALID(400, "invalid-request", "The request is not valid"),
    UNAUTHORIZED(401, "unauthorized", "Credentials are needed"),
    FORBIDDEN(403, "forbidden", "Not allowed"),
    NOT_FOUND(404, "not-found", "Not found"),
    CONFLICT(409, "conflict", "Not possible now"),
    TOO_MANY(429, "too-many-requests", "Too many requests"),
    UNAVAILABLE(503, "unavailable", "Not available now");

    private final int status;
    private final String type;
    private final String title;

    Kind(int status, String type, String title) {
      this.status = status;
      this.type = type;
      this.title = title;
    }

    public int status() {
      return status;
    }

    public String type() {
      return type;
    }

    public String title() {
      return title;
    }
  }

  private final Kind kind;
  private final Map<String, String> headers;

  private RejectedRequestException(Kind kind, String detail, Map<String, String> headers) {
    super(detail);
    this.kind = kind;
    this.headers = headers;
  }

  private RejectedRequestException(Kind kind, String detail, Throwable cause) {
    super(detail, cause);
    this.kind = kind;
    this.headers = Map.of();
  }

  static RejectedRequestException invalid(String detail) {
    return new RejectedRequestException(Kind.INVALID, detail, Map.of());
  }

  static RejectedRequestException unauthorized(String detail) {
    return new RejectedRequestException(
        Kind.UNAUTHORIZED, detail, Map.of("WWW-Authenticate", "Bearer"));
  }

  static RejectedRequestException forbidden(String detail) {
    return new RejectedRequestException(Kind.FORBIDDEN, detail, Map.of());
  }

  static RejectedRequestException notFound(String detail) {
    return new RejectedRequestException(Kind.NOT_FOUND, detail, Map.of());
  }

  static RejectedRequestException conflict(String detail) {
    return new RejectedRequestException(Kind.CONFLICT, detail, Map.of());
  }

  /** Returns a rejection with the waiting time in whole seconds, rounded up, at least one. */
  static RejectedRequestException tooMany(String detail, Duration retryAfter) {
    long seconds = Math.max(1, retryAfter.plusMillis(999).toSeconds());
    return new RejectedRequestException(
        Kind.TOO_MANY, detail, Map.of("Retry-After", Long.toString(seconds)));
  }

  static RejectedRequestException unavailable(String detail, Throwable cause) {
    return new RejectedRequestException(Kind.UNAVAILABLE, detail, cause);
  }

  public Kind kind() {
    return kind;
  }

  /** Returns the whole message, for the user who sent the request. */
  public String detail() {
    return String.valueOf(getMessage());
  }

  /** Returns the headers of the response, such as {@code Retry-After}. */
  public Map<String, String> headers() {
    return headers;
  }
}
