package io.millrace.server;

/** Which web this server has. */
final class WebParts {

  /** Until there is one, nobody is answered. */
  static final Web.Opener OPENER =
      parts ->
          new Web() {
            @Override
            public String address() {
              return "none";
            }

            @Override
            public void close() {}
          };

  private WebParts() {}
}
