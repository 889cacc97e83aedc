package io.millrace.server.http;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files of the web UI, from the class path. Browsers keep files whose names contain a hash
 * forever. Every other address that a browser opens returns the first page, which shows the view
 * for that address. Thread-safe.
 */
final class UiFiles {

  private static final String ROOT = "/io/millrace/server/ui/";
  private static final int LARGEST = 20 << 20;

  private static final String FOR_EVER = "public, max-age=31536000, immutable";
  private static final String ASK_AGAIN = "no-cache";

  /** The names that cannot leave the folder: no empty part, and none that starts with a dot. */
  private static final Pattern SAFE =
      Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9_.-]*(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*");

  private static final Map<String, String> TYPES =
      Map.ofEntries(
          Map.entry("html", "text/html; charset=utf-8"),
          Map.entry("js", "text/javascript; charset=utf-8"),
          Map.entry("css", "text/css; charset=utf-8"),
          Map.entry("svg", "image/svg+xml"),
          Map.entry("png", "image/png"),
          Map.entry("ico", "image/x-icon"),
          Map.entry("woff2", "font/woff2"),
          Map.entry("json", "application/json"),
          Map.entry("webmanifest", "application/manifest+json"),
          Map.entry("txt", "text/plain; charset=utf-8"));

  private final String contextPath;
  private final UiFile page;
  private final Map<String, UiFile> files = new ConcurrentHashMap<>();

  UiFiles(String contextPath) {
    this.contextPath = contextPath.equals("/") ? "" : contextPath;
    byte[] index = load("index.html");
    this.page = UiFile.of(type("html"), withBase(index == null ? missing() : index));
  }

  /** Sends a file or the first page; returns false if the request asks for neither. */
  boolean serve(Context context) {
    boolean reads =
        HandlerType.GET.equals(context.method()) || HandlerType.HEAD.equals(context.method());
    String path = context.path();
    if (!reads || !(path.equals(contextPath) || path.startsWith(contextPath + "/"))) {
      return false;
    }
    String name = path.equals(contextPath) ? "" : path.substring(contextPath.length() + 1);
    if (name.equals("api") || name.startsWith("api/") || name.equals("metrics")) {
      return false;
    }
    if (!name.isEmpty() && !name.equals("index.html") && SAFE.matcher(name).matches()) {
      UiFile file = file(name);
      if (file != null) {
        file.send(context, name.startsWith("assets/") ? FOR_EVER : ASK_AGAIN);
        return true;
      }
    }
    if (!wantsPage(context, name)) {
      return false;
    }
    page.send(context, ASK_AGAIN);
    return true;
  }

  /**
   * Returns a file of the class path. Only existing files are cached, so that requests for others
   * use no memory.
   */
  private @Nullable UiFile file(String name) {
    UiFile kept = files.get(name);
    if (kept != null) {
      return kept;
    }
    byte[] loaded = load(name);
    if (loaded == null) {
      return null;
    }
    UiFile file = UiFile.of(type(name), loaded);
    files.put(name, file);
    return file;
  }

  private static String type(String name) {
    String ending = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return TYPES.getOrDefault(ending, "application/octet-stream");
  }

  private static boolean wantsPage(Context context, String name) {
    String accept = context.header("Accept");
    boolean page = !name.startsWith("assets/") && accept != null && accept.contains("text/html");
    return page || name.isEmpty();
  }

  private static byte @Nullable [] load(String name) {
    URL url = UiFiles.class.getResource(ROOT + name);
    if (url == null) {
      return null;
    }
    try {
      URLConnection connection = url.openConnection();
      if (connection.getContentLengthLong() <= 0) {
        return null;
      }
      try (InputStream in = connection.getInputStream()) {
        return in.readNBytes(LARGEST);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private byte[] withBase(byte[] index) {
    String html = new String(index, StandardCharsets.UTF_8);
    String base = "<base href=\"" + contextPath + "/\">";
    String filled =
        html.contains("<base")
            ? html.replaceFirst("<base [^>]*>", base)
            : html.replaceFirst("<head>", "<head>" + base);
    return filled.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] missing() {
    return """
    <!doctype html>
    <html lang="en">
    <head><meta charset="utf-8"><title>Millrace</title></head>
    <body>
    <h1>Millrace runs, without its web UI</h1>
    <p>This build has no UI: it was made without Node. The HTTP interface is complete; its
    contract is at <a href="api/v1/openapi.yaml">api/v1/openapi.yaml</a>.</p>
    <p>To have the UI, install Node 20 or newer and build again without <code>-DskipUi</code>.</p>
    </body>
    </html>
    """
        .getBytes(StandardCharsets.UTF_8);
  }
}
