package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.instance.OperatorAction;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.RegisteredTask;
import io.millrace.sequence.SequenceService;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import io.millrace.server.plugin.JarCompiler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the server runs task sequences with classes of tasks from jars. */
class SequencesTest {

  @TempDir private Path folder;

  private static MillraceServer start(String... keysAndValues) {
    return MillraceServer.start(TestConfigs.of(keysAndValues), ServerExtensions.NONE);
  }

  @Test
  void theTasksOfReportsAreThereWithAChannelEach() {
    try (MillraceServer server = start()) {
      SequenceService sequenceService = server.engine().sequences();
      assertThat(sequenceService.tasks().list())
          .extracting(RegisteredTask::task)
          .extracting(Task::name, Task::type, Task::channel)
          .containsExactly(
              tuple("KPI", "Report", "WORKFLOW.TASK.KPI.EXECUTION"),
              tuple("PDF", "Report", "WORKFLOW.TASK.PDF.EXECUTION"),
              tuple("EMAIL", "Report", "WORKFLOW.TASK.EMAIL.EXECUTION"));
    }
  }

  @Test
  void aBrokerThatIsAwayKeepsNothingFromStarting() throws Exception {
    try (MillraceServer server =
        start(
            "rabbitmq.uri",
            "amqp://127.0.0.1:1",
            "rabbitmq.confirmLimit",
            "100 ms",
            "workflows.folder",
            folder.toString())) {
      run(server, "Away");
    }
  }

  @Test
  void aJarThatComesWhileTheServerRunsIsUsed() throws Exception {
    try (MillraceServer server = start("workflows.folder", folder.toString())) {
      run(server, "Late");
    }
  }

  @Test
  void aJarThatIsReplacedCountsFromTheNextAttemptOn() throws Exception {
    try (MillraceServer server = start("workflows.folder", folder.toString())) {
      run(server, "Changed");
      jar("Changed", "the second version");
      again(server);
      assertThat(TaskJarMessages.of("Changed").poll(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
          .contains("the second version");

      Files.writeString(folder.resolve("Changed.jar"), "half of a jar");
      again(server);
      assertThat(TaskJarMessages.of("Changed").poll(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
          .as("what is broken is left out")
          .contains("the second version");
    }
  }

  @Test
  void serversThatStartAtTheSameTimeRegisterTheSameTasks() throws Exception {
    String url = "jdbc:h2:mem:together;DB_CLOSE_DELAY=-1";
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<MillraceServer>> servers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        servers.add(threads.submit(() -> start("database.url", url, "security.enabled", "false")));
      }
      for (Future<MillraceServer> server : servers) {
        try (MillraceServer one = server.get()) {
          assertThat(one.engine().sequences().tasks().list()).hasSize(3);
        }
      }
    }
  }

  /** Runs the sequence once, to its end. */
  private static void again(MillraceServer server) {
    long id = server.engine().sequences().run("Test_1", Map.of(), OperatorAction.by("test"));
    server.engine().client().await(id, Patience.LIMIT);
  }

  private void jar(String name, String word) throws IOException {
    JarCompiler.empty()
        .compiled(
            name,
            """
            import io.millrace.sequence.*;
            public class %s extends WorkflowTaskSubscriberHandler {
              public %s(String channel) { super(channel); }
              protected void handleTaskExecution(String message) {
                io.millrace.server.TaskJarMessages.of("%s").add("%s, " + message);
              }
            }
            """
                .formatted(name, name, name, word))
        .write(folder.resolve(name + ".jar"));
  }

  /** Adds a sequence of one task with a class in a jar that is written only now, and runs it. */
  private void run(MillraceServer server, String name) throws IOException, InterruptedException {
    jar(name, "the first version");
    SequenceService sequenceService = server.engine().sequences();
    sequenceService.tasks().add(Task.of(name, "Test").component(name));
    sequenceService.add(TaskSequence.of("Test_1", "Test", Schedule.of(Frequency.DAILY)).task(name));
    again(server);
    assertThat(TaskJarMessages.of(name).poll(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
        .contains("the first version", "\"workflowId\":\"Test_1\"");
  }
}
