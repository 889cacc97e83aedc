package io.millrace;

import io.millrace.definition.WorkflowDefinition;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;

/**
 * A provider of a jar's workflows to a server. The jar names its class, which needs a public
 * constructor without parameters, in {@code META-INF/services/io.millrace.WorkflowProvider}.
 */
public interface WorkflowProvider {

  /**
   * Returns the definitions of this jar. Called once, before the engine starts. If it throws, the
   * jar is left out.
   *
   * @param database the engine's own pool, for handlers with tables of their own in the same
   *     database; it is closed after the engine
   */
  default Collection<WorkflowDefinition> workflows(DataSource database) {
    return List.of();
  }

  /**
   * Registers the jar's other parts, such as continuous workflows and listeners. Called once, after
   * {@link #workflows} and before the engine starts. If it throws, the jar is left out.
   */
  default void register(ProviderRegistry registry) {}
}
