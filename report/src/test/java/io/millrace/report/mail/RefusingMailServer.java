package io.millrace.report.mail;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A mail server that refuses one command and accepts all others. */
public final class RefusingMailServer implements AutoCloseable {

  /** Answer that stands for a reset of the connection. */
  public static final String RESET = "reset";

  /** Answer that stands for no answer at all. */
  public static final String SILENCE = "silence";

  private final ServerSocket socket;
  private final String refused;
  private final String answer;
  private final List<String> heard = new CopyOnWriteArrayList<>();

  public RefusingMailServer(String refused, String answer) throws IOException {
    this.refused = refused;
    this.answer = answer;
    socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::serve);
  }

  public int port() {
    return socket.getLocalPort();
  }

  public List<String> heard() {
    return heard;
  }

  private void serve() {
    while (!socket.isClosed()) {
      try (Socket client = socket.accept();
          BufferedReader in =
              new BufferedReader(
                  new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
          PrintStream out =
              new PrintStream(client.getOutputStream(), true, StandardCharsets.UTF_8)) {
        out.print("220 ready\r\n");
        if (!talk(in, out)) {
          client.setSoLinger(true, 0);
        }
      } catch (IOException e) {
        heard.add("closed");
      }
    }
  }

  /** Handles a connection; returns false if it must be reset. */
  private boolean talk(BufferedReader in, PrintStream out) throws IOException {
    boolean text = false;
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      heard.add(line);
      if (line.equals(refused)) {
        if (answer.equals(RESET)) {
          return false;
        }
        text = false;
        out.print(answer.equals(SILENCE) ? "" : answer + "\r\n");
      } else if (text) {
        text = !line.equals(".");
        out.print(text ? "" : "250 taken\r\n");
      } else if (line.equals("DATA")) {
        text = true;
        out.print("354 go on\r\n");
      } else {
        out.print("250 fine\r\n");
      }
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
