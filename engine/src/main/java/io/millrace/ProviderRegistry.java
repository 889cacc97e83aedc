package io.millrace;

import io.millrace.codec.Codec;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.definition.AttemptInterceptor;
import io.millrace.event.EngineListener;
import javax.sql.DataSource;

/**
 * The part of a server's engine that a jar can extend. Its methods may be called only while {@link
 * WorkflowProvider#register} runs. Whatever is registered runs with the class loader of the jar as
 * the context class loader of the thread.
 */
public interface ProviderRegistry {

  /** Returns the engine's own pool, which is closed after the engine. */
  DataSource database();

  /**
   * Adds continuous workflows, and the definitions that their events run through. A name must be
   * unique over all jars, and must not begin with {@code millrace-}.
   */
  ProviderRegistry continuous(ContinuousWorkflow... workflows);

  /** Adds an interceptor, which wraps every handler call, including those of other jars. */
  ProviderRegistry interceptor(AttemptInterceptor interceptor);

  /** Adds a listener, which receives the events of the whole engine. */
  ProviderRegistry listener(EngineListener listener);

  /**
   * Sets the codec of the whole engine. Only one jar may do so; a server with two does not start,
   * nor does one whose jar with the codec cannot be used.
   */
  ProviderRegistry codec(Codec codec);

  /**
   * Adds a health check, which runs every ten seconds. While it fails, the server is not ready and
   * has an open problem that names the check.
   *
   * @param name unique over all jars; shown to everyone who can reach the server
   */
  ProviderRegistry healthCheck(String name, HealthCheck check);

  /** Adds a hook that runs before an executor claims work; see {@link EngineBuilder#onWarmUp}. */
  ProviderRegistry onWarmUp(Runnable hook);

  /**
   * Adds a resource of the jar, such as a connection, that is closed after the engine. The
   * resources of a jar are closed in reverse order; those of a jar that is left out are closed at
   * once.
   */
  ProviderRegistry onClose(AutoCloseable resource);
}
