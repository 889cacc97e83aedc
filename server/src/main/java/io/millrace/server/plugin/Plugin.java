package io.millrace.server.plugin;

import io.millrace.definition.WorkflowDefinition;
import io.millrace.redis.ServedFlow;
import java.util.List;

/**
 * A jar with running workflows or flows.
 *
 * @param name name of the file or folder
 * @param workflows definitions, including those that run the events of its continuous workflows
 * @param flows Redis flows
 */
public record Plugin(
    String name, List<WorkflowDefinition> workflows, List<ServedFlow> flows, JarContents parts) {}
