package io.millrace.redis.connect;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Encodes commands as RESP, which are lists of texts. */
final class RespWriter {

  private RespWriter() {}

  /** Returns the bytes of commands, one after another. */
  static byte[] bytes(List<List<String>> commands) {
    int arguments = 0;
    for (List<String> command : commands) {
      arguments += command.size();
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(48 * arguments);
    for (List<String> command : commands) {
      number(out, '*', command.size());
      for (String argument : command) {
        byte[] text = argument.getBytes(StandardCharsets.UTF_8);
        number(out, '$', text.length);
        out.writeBytes(text);
        out.write('\r');
        out.write('\n');
      }
    }
    return out.toByteArray();
  }

  private static void number(ByteArrayOutputStream out, char kind, int number) {
    out.write(kind);
    if (number < 10) {
      out.write('0' + number);
    } else {
      out.writeBytes(Integer.toString(number).getBytes(StandardCharsets.US_ASCII));
    }
    out.write('\r');
    out.write('\n');
  }
}
