package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.server.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A check that a server is as healthy after many requests as before. */
final class ServerHealthProbe {

  /** Upper limit of the additional threads, since libraries start and end threads as they like. */
  private static final int MORE_THREADS = 16;

  private static final String PROCESSOR = "io.millrace.server.http.RequestProcessor";

  /** The stack frame that every thread has while it processes a request. */
  private static final Pattern EXCHANGE = Pattern.compile(Pattern.quote(PROCESSOR + ".handle"));

  private final TestServer server;
  private final Set<String> threads;

  /** Creates the probe; must be called before the requests. */
  ServerHealthProbe(TestServer server) {
    this.server = server;
    requireProcessor();
    healthy();
    this.threads = threads();
  }

  /** Fails if the frame's name is out of date, since no request would be found then. */
  private static void requireProcessor() {
    try {
      assertThat(Class.forName(PROCESSOR).getDeclaredMethods())
          .extracting(Method::getName)
          .contains("handle");
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private static Set<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .collect(Collectors.toSet());
  }

  /** Adds the problems found to {@code faults}. */
  void check(List<String> faults) {
    if (!healthy()) {
      faults.add("the server is no longer ready");
    }
    long id = server.client().start(StartRequest.of("quick")).id();
    InstanceStatus status = server.client().await(id, Patience.LIMIT).status();
    if (status != InstanceStatus.FINISHED) {
      faults.add("instance " + id + " of workflow quick is " + status + " after the requests");
    }
    List<String> dead = new ArrayList<>(threads);
    dead.removeAll(threads());
    // An idle thread of the pool ends after a while.
    dead.removeIf(name -> !name.startsWith("millrace-") || name.equals("millrace-pool"));
    if (!dead.isEmpty()) {
      faults.add("these threads have ended: " + dead);
    }
    if (threads().size() > threads.size() + MORE_THREADS) {
      faults.add(threads().size() + " threads, and " + threads.size() + " before the requests");
    }
    checkRequests(faults);
  }

  /**
   * Checks that no requests remain. A stream that its reader has left is noticed only when
   * something is written to it.
   */
  private void checkRequests(List<String> faults) {
    try {
      server.awaitUntil(() -> {
        server.client().start(StartRequest.of("quick"));
        return requests() == 0;
      });
    } catch (AssertionError e) {
      faults.add(requests() + " requests are still being worked on:\n" + dump());
    }
  }

  private boolean healthy() {
    return new ApiTestClient(server.port()).get("/api/v1/health/ready").status() == 200;
  }

  private static long requests() {
    return EXCHANGE.matcher(dump()).results().count();
  }

  /** Returns the stacks of all threads, including virtual ones. */
  private static String dump() {
    try {
      Path folder = Files.createTempDirectory("threads");
      Path file = folder.resolve("dump.txt");
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
          .dumpThreads(file.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
      String text = Files.readString(file);
      Files.delete(file);
      Files.delete(folder);
      return text;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
