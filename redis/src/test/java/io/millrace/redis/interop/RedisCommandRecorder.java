package io.millrace.redis.interop;

import io.millrace.redis.connect.Redis;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Records, by MONITOR, all commands that reach a server, with their bytes. */
final class RedisCommandRecorder implements AutoCloseable {

  private static final Pattern LINE = Pattern.compile("\\+[0-9.]+ \\[\\d+ (\\S+)] (.*)");
  private static final Pattern ARGUMENT = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");

  private final Redis redis;
  private final Socket socket;
  private final BlockingQueue<Command> commands = new LinkedBlockingQueue<>();

  /**
   * A command.
   *
   * @param client the address of its connection
   * @param arguments its name first; bytes beyond printable ASCII are escaped
   */
  record Command(String client, List<String> arguments) {
    String name() {
      return arguments.getFirst();
    }

    boolean mentions(String text) {
      return arguments.stream().anyMatch(argument -> argument.contains(text));
    }
  }

  RedisCommandRecorder(Redis redis, int port) {
    this.redis = redis;
    try {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
      socket.getOutputStream().write("MONITOR\r\n".getBytes(StandardCharsets.US_ASCII));
      in.readLine();
      Thread.ofVirtual().start(() -> read(in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read(BufferedReader in) {
    try {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        Matcher matcher = LINE.matcher(line);
        if (matcher.matches()) {
          commands.add(
              new Command(
                  matcher.group(1),
                  ARGUMENT.matcher(matcher.group(2)).results().map(r -> r.group(1)).toList()));
        }
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  /** Returns all commands since the last call, without its own. */
  List<Command> take() {
    String mark = UUID.randomUUID().toString();
    redis.call("ECHO", mark);
    List<Command> taken = new ArrayList<>();
    try {
      while (true) {
        Command command = commands.poll(30, TimeUnit.SECONDS);
        if (command == null) {
          throw new AssertionError("The server told nothing more after " + taken);
        }
        if (command.mentions(mark)) {
          return taken;
        }
        taken.add(command);
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
