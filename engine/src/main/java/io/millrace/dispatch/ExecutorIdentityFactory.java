package io.millrace.dispatch;

import io.millrace.instance.ExecutorInfo;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.lifecycle.EngineVersion;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Creates the identity of an executor in its table. */
final class ExecutorIdentityFactory {

  private ExecutorIdentityFactory() {}

  static ExecutorInfo.Identity of(EngineContext engine) {
    EngineSettings settings = engine.settings();
    String host = host();
    String name = settings.node().name();
    return new ExecutorInfo.Identity(
        host,
        ProcessHandle.current().pid(),
        settings.executorGroup(),
        engine.definitions().ids(),
        EngineVersion.text(),
        new ExecutorInfo.NodeInfo(
            name == null ? host : name,
            engine.clock().instant().minus(engine.runtime().process().uptime()),
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
