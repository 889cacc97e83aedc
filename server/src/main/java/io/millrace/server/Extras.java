package io.millrace.server;

import io.millrace.definition.WorkflowDefinition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a server has beside its configuration.
 *
 * @param workflows of this program, beside those of jars
 * @param notice shown above every page of the UI; null for none
 */
record Extras(List<WorkflowDefinition> workflows, @Nullable String notice) {
  static final Extras NONE = new Extras(List.of(), null);
}
