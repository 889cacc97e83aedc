package io.millrace.redis.interop;

import io.millrace.redis.FlowClient;
import io.millrace.redis.RedisFlows;
import io.millrace.redis.connect.RedisSettings;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.JobResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A separate process whose worker leases a job and never ends it; made to be killed. */
final class HangingWorker implements AutoCloseable {

  private final Process process;

  private HangingWorker(Process process) {
    this.process = process;
  }

  /** Starts a worker of queue pack of the flow in {@link CrashInteropTest}. */
  static HangingWorker start(String uri) throws IOException {
    return new HangingWorker(
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                HangingWorker.class.getName(),
                uri)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  /** Returns the id of the job that it has started. */
  String awaitJob() throws IOException {
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    String line = lines.readLine();
    if (line == null) {
      throw new AssertionError("The process ended before it had a job");
    }
    return line;
  }

  /** Kills the process, like {@code kill -9}. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      throw new AssertionError("The process " + process.pid() + " does not end");
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  public static void main(String[] arguments) throws InterruptedException {
    Flow flow = CrashInteropTest.trip();
    RedisFlows flows = RedisFlows.connect(RedisSettings.of(arguments[0]));
    FlowClient client = flows.register(flow);
    client.worker(
        "pack",
        job -> {
          System.out.println(job.id());
          System.out.flush();
          new CountDownLatch(1).await();
          return JobResult.completed();
        });
    flows.start();
    new CountDownLatch(1).await();
  }
}
