package io.millrace.verification.chaos.proxy;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A TCP proxy that forwards connections to a server according to a rule for each direction.
 * Thread-safe.
 */
public final class TcpProxy implements Closeable {

  private static final int CONNECT_MILLIS = 5_000;

  private final ServerSocket server;
  private final InetSocketAddress target;
  private final TrafficGate toServer = new TrafficGate();
  private final TrafficGate toClient = new TrafficGate();
  private final Set<ProxyConnection> links = ConcurrentHashMap.newKeySet();

  private TcpProxy(ServerSocket server, InetSocketAddress target) {
    this.server = server;
    this.target = target;
  }

  /** Starts a proxy on a free port for connections to a port of this machine. */
  public static TcpProxy start(int port) throws IOException {
    return start(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  /** Starts a proxy on a free port of this machine for connections to {@code target}. */
  public static TcpProxy start(InetSocketAddress target) throws IOException {
    TcpProxy proxy =
        new TcpProxy(new ServerSocket(0, 100, InetAddress.getLoopbackAddress()), target);
    Thread.ofPlatform().daemon().name("proxy-" + proxy.port()).start(proxy::accept);
    return proxy;
  }

  public int port() {
    return server.getLocalPort();
  }

  /** Sets the rules for both directions, for existing and new connections. */
  public void setTraffic(TrafficRule up, TrafficRule down) {
    toServer.set(up);
    toClient.set(down);
  }

  /** Resets every connection. */
  public void resetConnections() {
    links.forEach(ProxyConnection::reset);
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        Thread.ofPlatform().daemon().name("proxy-link").start(() -> connect(client));
      } catch (IOException e) {
        if (!server.isClosed()) {
          throw new IllegalStateException("The proxy on port " + port() + " cannot accept.", e);
        }
      }
    }
  }

  private void connect(Socket client) {
    Socket upstream = new Socket();
    ProxyConnection proxyConnection = new ProxyConnection(client, upstream, links::remove);
    links.add(proxyConnection);
    try {
      client.setTcpNoDelay(true);
      upstream.setTcpNoDelay(true);
      upstream.connect(target, CONNECT_MILLIS);
      Thread.ofPlatform()
          .daemon()
          .name("proxy-down")
          .start(() -> proxyConnection.pump(upstream, client, toClient));
      proxyConnection.pump(client, upstream, toServer);
    } catch (IOException e) {
      // The server is down; the clients notice it.
      proxyConnection.reset();
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    setTraffic(TrafficRule.PASS, TrafficRule.PASS);
    resetConnections();
  }
}
