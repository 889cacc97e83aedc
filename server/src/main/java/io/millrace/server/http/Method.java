package io.millrace.server.http;

/** The methods that routes may have. HEAD is answered by the route of GET. */
public enum Method {
  GET,
  POST,
  PUT,
  PATCH,
  DELETE
}
