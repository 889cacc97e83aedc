package io.millrace.dispatch;

import io.millrace.instance.ExecutorInfo;
import io.millrace.lifecycle.EngineVersion;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Who this engine is in the table of executors. */
final class Identity {

  private Identity() {}

  static ExecutorInfo.Identity of(Node node) {
    return new ExecutorInfo.Identity(
        host(),
        ProcessHandle.current().pid(),
        node.settings().executorGroup(),
        node.definitions().ids(),
        EngineVersion.text());
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
