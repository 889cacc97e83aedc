package io.millrace.server.plugin;

import io.millrace.definition.WorkflowDefinition;
import java.util.List;

/**
 * A jar whose workflows run.
 *
 * @param name of the file or folder
 */
public record Plugin(String name, List<WorkflowDefinition> workflows) {}
