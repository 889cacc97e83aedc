package io.millrace.server.http;

import io.javalin.http.Context;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A file of the web UI, ready to be sent plain or, where that saves much, compressed. Immutable.
 *
 * @param packed the content compressed by gzip; null for files in a compressed format
 * @param tag identifies the content
 */
@SuppressWarnings("ArrayRecordComponent")
record UiFile(String contentType, byte[] plain, byte @Nullable [] packed, String tag) {

  static UiFile of(String contentType, byte[] content) {
    byte[] packed = pack(content);
    CRC32C sum = new CRC32C();
    sum.update(content);
    return new UiFile(
        contentType,
        content,
        packed.length < content.length * 9L / 10 ? packed : null,
        HexFormat.of().toHexDigits(sum.getValue(), 8) + content.length);
  }

  private static byte[] pack(byte[] content) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }

  /** Sends the file, or 304 if the browser has it already. */
  void send(Context context, String cacheControl) {
    context.header("Cache-Control", cacheControl).header("Vary", "Accept-Encoding");
    boolean gzip = packed != null && takesGzip(context.header("Accept-Encoding"));
    String etag = "\"" + tag + (gzip ? "-gz" : "") + "\"";
    context.header("ETag", etag);
    if (etag.equals(context.header("If-None-Match"))) {
      context.status(304);
      return;
    }
    context.status(200).contentType(contentType);
    if (gzip) {
      context.header("Content-Encoding", "gzip").result(packed);
    } else {
      context.result(plain);
    }
  }

  /** True if the client accepts gzip, which a weight of zero excludes. */
  private static boolean takesGzip(@Nullable String accepted) {
    return accepted != null
        && Arrays.stream(accepted.split(",", -1))
            .map(coding -> coding.replace(" ", ""))
            .anyMatch(coding ->
                coding.equals("gzip")
                    || (coding.startsWith("gzip;") && !coding.matches("gzip;q=0(\\.0*)?")));
  }
}
