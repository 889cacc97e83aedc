package io.millrace.server.plugin;

import io.millrace.definition.WorkflowDefinition;
import io.millrace.redis.FlowWork;
import java.util.List;

/**
 * A jar whose workflows and flows run.
 *
 * @param name of the file or folder
 * @param flows on Redis
 */
public record Plugin(String name, List<WorkflowDefinition> workflows, List<FlowWork> flows) {}
