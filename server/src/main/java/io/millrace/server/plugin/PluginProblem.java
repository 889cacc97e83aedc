package io.millrace.server.plugin;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A problem of a jar with workflows that do not run.
 *
 * @param name name of the file or folder
 * @param problem what is wrong, as a sentence
 * @param advice what to do, as a sentence
 */
public record PluginProblem(String name, String problem, String advice) {

  static PluginProblem ofFolder(Path folder, IOException e) {
    return new PluginProblem(
        folder.toString(),
        "The folder cannot be read: " + e + ".",
        "Check its rights, or set workflows.folder to another one.");
  }

  /** Returns the problem and the advice. */
  public String detail() {
    return problem + " " + advice;
  }

  @Override
  public String toString() {
    return "'" + name + "' is left out: " + detail();
  }
}
