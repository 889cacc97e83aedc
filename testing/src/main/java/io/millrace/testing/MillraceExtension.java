package io.millrace.testing;

import io.millrace.definition.WorkflowDefinition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * An extension that gives each test a fresh {@link ManualEngine} as a parameter. Register it in a
 * field:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final MillraceExtension MILLRACE = MillraceExtension.with(order);
 * }</pre>
 */
public final class MillraceExtension
    implements BeforeEachCallback, AfterEachCallback, ParameterResolver {

  private final WorkflowDefinition[] definitions;
  private @Nullable ManualEngine engine;

  private MillraceExtension(WorkflowDefinition... definitions) {
    this.definitions = definitions.clone();
  }

  /** Creates an extension whose engines run these definitions. */
  public static MillraceExtension with(WorkflowDefinition... definitions) {
    return new MillraceExtension(definitions);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    engine = ManualEngine.with(definitions);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    if (engine != null) {
      engine.close();
      engine = null;
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == ManualEngine.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    if (engine == null) {
      throw new IllegalStateException("A ManualEngine is given to test methods only");
    }
    return engine;
  }
}
