package io.millrace.server.plugin;

/**
 * A jar whose workflows do not run.
 *
 * @param name of the file or folder
 * @param problem what is wrong, as a sentence
 * @param advice what to do, as a sentence
 */
public record PluginProblem(String name, String problem, String advice) {
  @Override
  public String toString() {
    return "'" + name + "' is left out: " + problem + " " + advice;
  }
}
