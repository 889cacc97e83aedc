package io.millrace;

import io.millrace.definition.WorkflowDefinition;
import java.util.Collection;
import javax.sql.DataSource;

/**
 * Gives a server the workflows of a jar. The jar names its class, which needs a public constructor
 * without parameters, in {@code META-INF/services/io.millrace.WorkflowProvider}.
 */
public interface WorkflowProvider {

  /**
   * The definitions of this jar. Called once, before the engine starts; anything thrown leaves the
   * jar out.
   *
   * @param database the engine's own pool, for handlers that keep tables of theirs beside it; it is
   *     closed after the engine
   */
  Collection<WorkflowDefinition> workflows(DataSource database);
}
