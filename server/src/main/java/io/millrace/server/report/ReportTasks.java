package io.millrace.server.report;

import io.millrace.instance.MillraceException;
import io.millrace.report.ReportComponent;
import io.millrace.sequence.RegisteredTask;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskService;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The registered tasks of reports. Missing ones are added, and what users have registered or
 * changed stays. Thread-safe.
 */
final class ReportTasks {

  private static final Logger LOG = LoggerFactory.getLogger(ReportTasks.class);

  private final TaskService taskService;
  private final Map<String, String> problems = new LinkedHashMap<>();

  ReportTasks(TaskService taskService) {
    this.taskService = taskService;
    ReportComponent.taskNames().forEach(this::look);
    problems.values().forEach(LOG::warn);
  }

  /**
   * Returns the reasons why some tasks could not be added, and what to do. Tries again to add them.
   */
  synchronized List<String> problems() {
    new ArrayList<>(problems.keySet()).forEach(this::look);
    return List.copyOf(problems.values());
  }

  private void look(String name) {
    String problem = problem(name);
    if (problem == null) {
      problems.remove(name);
    } else {
      problems.put(name, problem);
    }
  }

  private @Nullable String problem(String name) {
    try {
      Optional<RegisteredTask> present = taskService.find(name);
      if (present.isPresent()) {
        return isOurs(present.get().task()) ? null : foreign(present.get().task());
      }
      taskService.add(
          Task.of(name, ReportService.TYPE).channel("WORKFLOW.TASK." + name + ".EXECUTION"));
      return null;
    } catch (MillraceException e) {
      return isThere(name) ? null : refused(name, e);
    }
  }

  /** True if the task exists; another node may have added it at the same moment. */
  private boolean isThere(String name) {
    try {
      return taskService.find(name).filter(one -> isOurs(one.task())).isPresent();
    } catch (MillraceException e) {
      return false;
    }
  }

  private static boolean isOurs(Task task) {
    return task.component().equals(task.name());
  }

  private static String foreign(Task task) {
    return "The task '"
        + task.name()
        + "' of type '"
        + task.type()
        + "' is run by '"
        + task.component()
        + "', so that the task of reports of this name is not added. Give yours another name, and it"
        + " is; or add a task of another name with the type '"
        + ReportService.TYPE
        + "' and the component '"
        + task.name()
        + "', and make reports with that.";
  }

  private static String refused(String name, MillraceException why) {
    return "The task '"
        + name
        + "' of reports cannot be added: "
        + why.getMessage()
        + " It is tried again; or add it yourself, with the type '"
        + ReportService.TYPE
        + "', the component '"
        + name
        + "' and a channel that is free.";
  }
}
