package io.millrace.server.security;

import java.util.List;

/** A rejection as an HTML page that needs no script and no style. */
final class RejectionPage {

  private RejectionPage() {}

  /**
   * Returns the page of a rejection, with its status and headers.
   *
   * @param home target of its link
   */
  static SecurityResponse of(RejectedRequestException rejectedRequestException, String home) {
    String html =
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <meta name="color-scheme" content="light dark">
        <title>Not logged in</title>
        </head>
        <body>
        <h1>Not logged in</h1>
        <p>%s</p>
        <p><a href="%s">Back to Millrace</a></p>
        </body>
        </html>
        """
            .formatted(escaped(rejectedRequestException.detail()), escaped(home));
    return new SecurityResponse(
        rejectedRequestException.kind().status(),
        new SecurityResponse.Page(html),
        rejectedRequestException.headers(),
        List.of());
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
