package io.millrace.server.http;

/** The methods that routes may have. HEAD is answered by the route of GET. */
public enum HttpMethod {
  GET,
  POST,
  PUT,
  PATCH,
  DELETE
}
