package io.millrace.benchmarks.process;

import io.millrace.benchmarks.peer.PeerKind;
import io.millrace.benchmarks.postgres.BenchmarkDatabase;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The main class of a process that runs a role; {@link RoleProcess} builds its arguments. */
final class RoleMain {

  private RoleMain() {}

  public static void main(String[] args) throws Exception {
    BenchmarkDatabase database =
        new BenchmarkDatabase(
            args[2], Integer.parseInt(args[3]), args[4], args[5], Long.parseLong(args[6]));
    Map<String, String> settings = new HashMap<>();
    for (int i = 7; i < args.length; i += 2) {
      settings.put(args[i], args[i + 1]);
    }
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    RoleContext roleContext =
        new RoleContext(PeerKind.valueOf(args[1]), database, settings, in, System.out);
    try {
      Constructor<? extends ProcessRole> maker =
          Class.forName(args[0]).asSubclass(ProcessRole.class).getDeclaredConstructor();
      // Roles are private classes of their workloads.
      maker.setAccessible(true);
      maker.newInstance().run(roleContext);
      roleContext.say("end");
    } catch (Throwable e) {
      e.printStackTrace(System.out);
      System.exit(1);
    }
    // Some engines leave threads behind that would keep the process running.
    System.exit(0);
  }
}
