package io.millrace.dispatch;

import io.millrace.instance.ExecutorInfo;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.lifecycle.EngineVersion;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Who this engine is in the table of executors. */
final class Identity {

  private Identity() {}

  static ExecutorInfo.Identity of(Node node) {
    EngineSettings settings = node.settings();
    String host = host();
    String name = settings.node().name();
    return new ExecutorInfo.Identity(
        host,
        ProcessHandle.current().pid(),
        settings.executorGroup(),
        node.definitions().ids(),
        EngineVersion.text(),
        new ExecutorInfo.Node(
            name == null ? host : name,
            node.clock().instant().minus(node.runtime().process().uptime()),
            settings.drainGrace()));
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
