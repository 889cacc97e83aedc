package io.millrace.redis.connect;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads replies in RESP2. A reply is null, {@code Long}, {@code String}, {@link ErrorReply} or a
 * list of these. A broken or hostile server cannot make it reserve more memory than the bytes need
 * that it sends. For one thread at a time.
 */
final class RespReader {

  /** Limit of lengths: Redis' own for a text, and more elements than a list in memory can have. */
  private static final int MAX_LENGTH = 512 * 1024 * 1024;

  private static final int MAX_DEPTH = 100;
  private static final int MAX_RESERVED = 1_000;

  private final InputStream in;
  private final byte[] buffer = new byte[64 * 1024];
  private int position;
  private int limit;

  RespReader(InputStream in) {
    this.in = in;
  }

  /** Returns true if all received bytes are read, so that the next reply must be waited for. */
  boolean isDrained() {
    return position == limit;
  }

  /**
   * Returns the next reply.
   *
   * @throws IOException if the connection ends or fails, or what comes is no reply. No further
   *     reply can be read then
   */
  @Nullable Object read() throws IOException {
    return read(0);
  }

  private @Nullable Object read(int depth) throws IOException {
    need(1);
    byte kind = buffer[position++];
    return switch (kind) {
      case '+' -> line();
      case '-' -> new ErrorReply(line());
      case ':' -> number();
      case '$' -> text(length());
      case '*' -> list(length(), depth);
      default -> throw malformed("it begins with '" + (char) kind + "'");
    };
  }

  private String line() throws IOException {
    int end = lineEnd();
    String line = new String(buffer, position, end - position, StandardCharsets.UTF_8);
    position = end + 2;
    return line;
  }

  private long number() throws IOException {
    int end = lineEnd();
    boolean negative = buffer[position] == '-';
    int first = negative ? position + 1 : position;
    boolean valid = first < end && end - first <= 19;
    long value = 0; // below zero, where there is one number more than above
    for (int i = first; i < end && valid; i++) {
      int digit = buffer[i] - '0';
      value = value * 10 - digit;
      valid = digit >= 0 && digit <= 9 && value <= 0;
    }
    if (!valid || (!negative && value == Long.MIN_VALUE)) {
      throw malformed("it has '" + line() + "' for a number");
    }
    position = end + 2;
    return negative ? value : -value;
  }

  private int length() throws IOException {
    long length = number();
    if (length < -1 || length > MAX_LENGTH) {
      throw malformed("it has the length " + length + ", expected -1 to " + MAX_LENGTH);
    }
    return (int) length;
  }

  private @Nullable String text(int length) throws IOException {
    if (length < 0) {
      return null;
    }
    String text;
    if (length <= buffer.length - 2) {
      need(length + 2);
      text = new String(buffer, position, length, StandardCharsets.UTF_8);
      position += length;
    } else {
      text = longText(length);
      need(2);
    }
    if (buffer[position] != '\r' || buffer[position + 1] != '\n') {
      throw malformed("its text does not end after " + length + " bytes");
    }
    position += 2;
    return text;
  }

  /** Reads a text that is longer than the buffer; its memory grows with the bytes that come. */
  private String longText(int length) throws IOException {
    int received = Math.min(length, limit - position);
    byte[] bytes =
        new SequenceInputStream(new ByteArrayInputStream(buffer, position, received), in)
            .readNBytes(length);
    if (bytes.length < length) {
      throw ended();
    }
    position += received;
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private @Nullable List<@Nullable Object> list(int size, int depth) throws IOException {
    if (size < 0) {
      return null;
    }
    if (depth == MAX_DEPTH) {
      throw malformed("its lists are nested more than " + MAX_DEPTH + " deep");
    }
    List<@Nullable Object> list = new ArrayList<>(Math.min(size, MAX_RESERVED));
    for (int i = 0; i < size; i++) {
      list.add(read(depth + 1));
    }
    return list;
  }

  /** Returns where the line at the position ends; all of it is in the buffer then. */
  private int lineEnd() throws IOException {
    int searched = 0;
    while (true) {
      for (int i = position + searched; i < limit - 1; i++) {
        if (buffer[i] == '\r' && buffer[i + 1] == '\n') {
          return i;
        }
        if (buffer[i] == '\r' || buffer[i] == '\n') {
          throw malformed("its line does not end with CR and LF");
        }
      }
      searched = Math.max(0, limit - 1 - position);
      fill();
    }
  }

  private void need(int bytes) throws IOException {
    while (limit - position < bytes) {
      fill();
    }
  }

  /** Reads more bytes, behind those that are not read yet. */
  private void fill() throws IOException {
    if (position > 0) {
      System.arraycopy(buffer, position, buffer, 0, limit - position);
      limit -= position;
      position = 0;
    }
    if (limit == buffer.length) {
      throw malformed("it has a line of over " + buffer.length + " bytes");
    }
    int received = in.read(buffer, limit, buffer.length - limit);
    if (received < 0) {
      throw ended();
    }
    limit += received;
  }

  private static EOFException ended() {
    return new EOFException("it closed the connection");
  }

  private static IOException malformed(String why) {
    return new IOException("what it sent is no reply in RESP2: " + why);
  }
}
