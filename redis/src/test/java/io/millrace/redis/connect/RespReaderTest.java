package io.millrace.redis.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the bytes of commands and replies. Servers send what is here, and what is broken. */
class RespReaderTest {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** One reply of each kind, and lists of lists. */
  private static final String ALL =
      String.join(
          "\r\n",
          "+OK",
          "+",
          "-ERR wrong",
          "-",
          ":0",
          ":-7",
          ":9223372036854775807",
          ":-9223372036854775808",
          "$5",
          "hello",
          "$0",
          "",
          "$-1",
          "$4",
          "",
          "$9",
          "$12",
          "\u00fc \u0000 \uD83D\uDE00\u20ac",
          "*0",
          "*-1",
          "*3",
          "*1",
          ":1",
          "*2",
          "$-1",
          "-NO a",
          "$1",
          "x",
          "");

  private static final List<@Nullable Object> REPLIES =
      Arrays.asList(
          "OK",
          "",
          new ErrorReply("ERR wrong"),
          new ErrorReply(""),
          0L,
          -7L,
          Long.MAX_VALUE,
          Long.MIN_VALUE,
          "hello",
          "",
          null,
          "\r\n$9",
          "\u00fc \u0000 \uD83D\uDE00\u20ac",
          List.of(),
          null,
          List.of(List.of(1L), Arrays.asList(null, new ErrorReply("NO a")), "x"));

  /** A stream that returns at most some bytes at a time, as networks do. */
  private static final class SplitStream extends ByteArrayInputStream {
    private final int most;

    SplitStream(byte[] bytes, int most) {
      super(bytes);
      this.most = most;
    }

    @Override
    public synchronized int read(byte[] target, int offset, int length) {
      return super.read(target, offset, Math.min(most, length));
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static RespReader reader(String text) {
    return new RespReader(new ByteArrayInputStream(bytes(text)));
  }

  private static List<@Nullable Object> all(InputStream in, int count) throws IOException {
    RespReader reader = new RespReader(in);
    List<@Nullable Object> replies = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      replies.add(reader.read());
    }
    assertThat(reader.isDrained()).isTrue();
    assertThatThrownBy(reader::read).isInstanceOf(EOFException.class);
    return replies;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 7, 16, 1_000})
  void repliesOfAllKindsAreReadHoweverTheyAreSplit(int most) throws Exception {
    assertThat(all(new SplitStream(bytes(ALL), most), REPLIES.size())).isEqualTo(REPLIES);
  }

  @ParameterizedTest
  @ValueSource(ints = {65_000, 65_520, 65_534, 65_535, 65_536, 65_537, 131_072, 3_000_000})
  void textsAroundAndAboveTheBufferAreRead(int length) throws Exception {
    String text = "\u00fc" + "x".repeat(length - 2);
    String reply = "$" + length + "\r\n" + text + "\r\n";

    assertThat(all(new SplitStream(bytes(":1\r\n" + reply + reply + ":2\r\n"), 10_007), 4))
        .containsExactly(1L, text, text, 2L);
  }

  @Test
  void aListMayHaveMoreElementsThanTheBufferHasBytes() throws Exception {
    String reply = "*100000\r\n" + ":7\r\n".repeat(100_000);

    assertThat(reader(reply).read()).isEqualTo(Collections.nCopies(100_000, 7L));
  }

  @Test
  void theReaderIsDrainedWhenAllReceivedBytesAreRead() throws Exception {
    RespReader reader = reader(":1\r\n:2\r\n");
    assertThat(reader.isDrained()).isTrue();

    reader.read();
    assertThat(reader.isDrained()).isFalse();

    reader.read();
    assertThat(reader.isDrained()).isTrue();
  }

  @Test
  void aConnectionThatEndsWithinAReplyIsAnError() {
    byte[] bytes = bytes("*3\r\n:12\r\n$5\r\nhello\r\n+OK\r\n");
    for (int i = 0; i < bytes.length; i++) {
      RespReader reader = new RespReader(new ByteArrayInputStream(bytes, 0, i));
      assertThatThrownBy(reader::read).as("after %s bytes", i).isInstanceOf(EOFException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\r\n",
        "hello\r\n",
        "HTTP/1.1 400 Bad Request\r\n",
        "_\r\n",
        "#t\r\n",
        ",1.5\r\n",
        "%0\r\n",
        "~0\r\n",
        ">0\r\n",
        ":\r\n",
        ":-\r\n",
        ":+1\r\n",
        ":1 \r\n",
        ":1e3\r\n",
        ":--1\r\n",
        ":9223372036854775808\r\n",
        ":-9223372036854775809\r\n",
        ":1\n:2\n",
        "+O\rK\r\n",
        "$\r\n",
        "$-2\r\n",
        "$x\r\n",
        "$3\r\nhello\r\n",
        "$5\r\nhel\r\nx\r\n",
        "*-2\r\n",
        "*1.5\r\n",
        "*1\r\nx\r\n",
      })
  void whatIsNoReplyIsRefused(String text) {
    assertThatThrownBy(() -> reader(text).read())
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContaining("RESP2");
  }

  @Test
  void aLineWithoutAnEndIsRefused() {
    assertThatThrownBy(() -> reader("+" + "x".repeat(1_000_000)).read())
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContaining("a line of over 65536 bytes");
  }

  @Test
  void listsThatAreNestedTooDeeplyAreRefused() throws Exception {
    assertThat(reader("*1\r\n".repeat(100) + ":1\r\n").read()).isInstanceOf(List.class);
    assertThatThrownBy(() -> reader("*1\r\n".repeat(1_000_000)).read())
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContaining("nested");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "$536870913\r\n",
        "$2147483647\r\n",
        "$9223372036854775807\r\n",
        "*536870913\r\n",
        "*2147483647\r\n",
        "*9223372036854775807\r\n",
      })
  void aLengthOverTheLimitIsRefused(String text) {
    assertThatThrownBy(() -> reader(text).read())
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContaining("536870912");
  }

  /** Otherwise a few broken bytes would cost the process its memory. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "$536870913\r\n",
        "$536870912\r\nhello",
        "*536870913\r\n",
        "*536870912\r\n:1\r\n",
        "*1000000\r\n*1000000\r\n*1000000\r\n",
      })
  void aLengthAloneReservesNoMemory(String text) {
    RespReader reader = reader(text);
    long before = THREADS.getCurrentThreadAllocatedBytes();

    assertThatThrownBy(reader::read).isInstanceOf(IOException.class);

    assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(4_000_000);
  }

  @Test
  void commandsAreListsOfTexts() {
    byte[] sent =
        RespWriter.bytes(
            List.of(
                List.of("SET", "k", "\u00fc\r\n\uD83D\uDE00"), List.of("GET", "x".repeat(100))));

    assertThat(new String(sent, StandardCharsets.UTF_8))
        .isEqualTo(
            "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$8\r\n\u00fc\r\n\uD83D\uDE00\r\n"
                + "*2\r\n$3\r\nGET\r\n$100\r\n"
                + "x".repeat(100)
                + "\r\n");
  }
}
