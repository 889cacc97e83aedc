package io.millrace.server.plugin;

import io.millrace.definition.WorkflowDefinition;
import io.millrace.redis.ServedFlow;
import java.util.List;

/**
 * A jar whose workflows and flows run.
 *
 * @param name of the file or folder
 * @param workflows with the definitions that events of its continuous workflows run through
 * @param flows on Redis
 */
public record Plugin(
    String name, List<WorkflowDefinition> workflows, List<ServedFlow> flows, JarContents parts) {}
