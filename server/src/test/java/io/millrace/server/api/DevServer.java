package io.millrace.server.api;

import io.millrace.instance.StartRequest;
import java.util.Map;

/**
 * A server in memory with a few instances, for the development of clients. The first argument is
 * the port.
 */
final class DevServer {

  private DevServer() {}

  public static void main(String[] args) throws InterruptedException {
    int port = args.length > 0 ? Integer.parseInt(args[0]) : 7500;
    String path = args.length > 1 ? args[1] : "/";
    try (TestServer server =
        TestServer.start("jdbc:h2:mem:dev;DB_CLOSE_DELAY=-1;USER=sa", port, path)) {
      for (int i = 0; i < 40; i++) {
        for (String type : new String[] {"order", "fails", "quick", "asks"}) {
          server
              .client()
              .start(
                  StartRequest.of(type, Map.of("number", i))
                      .businessKey(type + "-" + i)
                      .variable("customer", "c" + i % 7));
        }
      }
      System.out.println("http://127.0.0.1:" + server.port() + path);
      Thread.currentThread().join();
    }
  }
}
