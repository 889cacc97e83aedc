package io.millrace.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.millrace.instance.MillraceException;
import io.millrace.lifecycle.Runner;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * A web page on the demo's port until the server takes the port over. A port that is in use is
 * reported before the preparation starts, and a visitor sees how far the history is. Thread-safe.
 */
final class StartPage implements AutoCloseable {

  /** Address of the page and, later, of the server. */
  static final String BIND = "127.0.0.1";

  private static final String PLACE = "{said}";
  private static final int UNAVAILABLE = 503;

  private final HttpServer http;
  private volatile String said = "The demo starts.";

  private StartPage(HttpServer http) {
    this.http = http;
  }

  /**
   * Opens the port.
   *
   * @param port 0 for a free one
   * @throws MillraceException if another program uses the port
   */
  static StartPage open(int port, Runner runner) {
    try {
      HttpServer http =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
      StartPage page = new StartPage(http);
      http.createContext("/", page::answer);
      http.setExecutor(request -> runner.run("demo-start-page", request));
      http.start();
      return page;
    } catch (IOException | IllegalArgumentException e) {
      throw new MillraceException(
          "The demo cannot have port "
              + port
              + " of "
              + BIND
              + ": "
              + e.getMessage()
              + ". End the program that has it, perhaps another demo, or choose another port with"
              + " --port N (0 for a free one).",
          e);
    }
  }

  int port() {
    return http.getAddress().getPort();
  }

  /** Shows a sentence from now on. */
  void say(String text) {
    said = text;
  }

  private void answer(HttpExchange request) throws IOException {
    try (request) {
      byte[] page = PAGE.replace(PLACE, said).getBytes(StandardCharsets.UTF_8);
      request.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
      request.getResponseHeaders().set("Cache-Control", "no-store");
      request.getResponseHeaders().set("Retry-After", "1");
      request.sendResponseHeaders(UNAVAILABLE, page.length);
      request.getResponseBody().write(page);
    }
  }

  /** Releases the port. */
  @Override
  public void close() {
    http.stop(0);
  }

  /**
   * The page. While the server takes over, no program answers on the port; the script on the page
   * retries until one does.
   */
  private static final String PAGE =
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <title>Millrace demo</title>
      <noscript><meta http-equiv="refresh" content="2"></noscript>
      <style>body { font: 1.1rem/1.6 system-ui, sans-serif; margin: 20vh auto; max-width: 34rem; padding: 0 1rem }</style>
      </head>
      <body>
      <h1>The demo is getting ready</h1>
      <p id="said" role="status">{said}</p>
      <p>This page becomes the demo by itself. The link that logs you in is printed in the terminal.</p>
      <script>
      setInterval(async () => {
        const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
        if (answer?.status === 503) {
          const text = await answer.text();
          const next = new DOMParser().parseFromString(text, "text/html").getElementById("said");
          if (next) document.getElementById("said").textContent = next.textContent;
        } else if (answer) {
          location.reload();
        }
      }, 1000);
      </script>
      </body>
      </html>
      """;
}
