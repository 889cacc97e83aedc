package io.millrace;

import io.millrace.definition.WorkflowDefinition;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;

/**
 * Gives a server the workflows of a jar. The jar names its class, which needs a public constructor
 * without parameters, in {@code META-INF/services/io.millrace.WorkflowProvider}.
 */
public interface WorkflowProvider {

  /**
   * Returns the definitions of this jar. Called once, before the engine starts; anything thrown
   * leaves the jar out.
   *
   * @param database the engine's own pool, for handlers that keep tables of theirs beside it; it is
   *     closed after the engine
   */
  default Collection<WorkflowDefinition> workflows(DataSource database) {
    return List.of();
  }

  /**
   * Registers what this jar has beside {@link #workflows}, such as continuous workflows and
   * listeners. Called once, after {@link #workflows} and before the engine starts; anything thrown
   * leaves the jar out.
   */
  default void register(ProviderRegistry registry) {}
}
