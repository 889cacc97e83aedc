package io.millrace.server.http;

import java.util.Map;

/** The short name and the title of a status. */
record ProblemType(String code, String title) {

  private static final Map<Integer, ProblemType> BY_STATUS =
      Map.ofEntries(
          entry(400, "invalid-request", "The request is not valid"),
          entry(401, "unauthorized", "Nobody is logged in"),
          entry(403, "forbidden", "Not allowed"),
          entry(404, "not-found", "Not found"),
          entry(405, "method-not-allowed", "The method is not allowed here"),
          entry(406, "not-acceptable", "No acceptable form of the answer"),
          entry(408, "timeout", "The request took too long"),
          entry(409, "conflict", "The request contradicts what is stored"),
          entry(412, "changed", "What was expected is not there any more"),
          entry(413, "too-large", "The request is too large"),
          entry(414, "too-large", "The address is too long"),
          entry(415, "unsupported-media-type", "The content type is not supported"),
          entry(429, "too-many-requests", "Too many requests"),
          entry(431, "too-large", "The headers are too large"),
          entry(500, "internal-error", "The server failed"),
          entry(503, "unavailable", "Not available now"));

  static ProblemType of(int status) {
    ProblemType known = BY_STATUS.get(status);
    if (known != null) {
      return known;
    }
    return status < 500
        ? new ProblemType("invalid-request", "The request is not valid")
        : new ProblemType("internal-error", "The server failed");
  }

  private static Map.Entry<Integer, ProblemType> entry(int status, String code, String title) {
    return Map.entry(status, new ProblemType(code, title));
  }
}
