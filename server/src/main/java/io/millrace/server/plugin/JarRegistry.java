package io.millrace.server.plugin;

import io.millrace.HealthCheck;
import io.millrace.ProviderRegistry;
import io.millrace.codec.Codec;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.definition.AttemptInterceptor;
import io.millrace.event.EngineListener;
import io.millrace.instance.InvalidRequestException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A registry of what the providers of one jar register. Closing it closes the jar's resources. */
final class JarRegistry implements ProviderRegistry, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(JarRegistry.class);

  /** The valid names of checks. They are shown to everyone, and must not need escaping. */
  private static final Pattern CHECK = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_. \\-]{0,99}");

  private final String name;
  private final DataSource database;
  private final JarScope jar;
  private final List<ContinuousWorkflow> continuous = new ArrayList<>();
  private final List<AttemptInterceptor> interceptors = new ArrayList<>();
  private final List<EngineListener> listeners = new ArrayList<>();
  private final Map<String, HealthCheck> checks = new TreeMap<>();
  private final List<Runnable> warmUps = new ArrayList<>();
  private final List<AutoCloseable> resources = new ArrayList<>();
  private @Nullable Codec codec;
  private boolean isOpen = true;

  /**
   * @param name name of the jar
   */
  JarRegistry(String name, DataSource database, ClassLoader classes) {
    this.name = name;
    this.database = database;
    this.jar = new JarScope(classes);
  }

  @Override
  public DataSource database() {
    return database;
  }

  @Override
  public ProviderRegistry continuous(ContinuousWorkflow... workflows) {
    checkOpen();
    for (ContinuousWorkflow workflow : workflows) {
      continuous.add(
          jar.wrap(InvalidRequestException.requirePresent(workflow, "A continuous workflow")));
    }
    return this;
  }

  @Override
  public ProviderRegistry interceptor(AttemptInterceptor interceptor) {
    checkOpen();
    interceptors.add(
        jar.wrap(InvalidRequestException.requirePresent(interceptor, "The interceptor")));
    return this;
  }

  @Override
  public ProviderRegistry listener(EngineListener listener) {
    checkOpen();
    listeners.add(jar.wrap(InvalidRequestException.requirePresent(listener, "The listener")));
    return this;
  }

  @Override
  public ProviderRegistry codec(Codec newCodec) {
    checkOpen();
    if (codec != null) {
      throw new InvalidRequestException(
          "The jar '" + name + "' registers two codecs; expected one at most.");
    }
    codec = jar.wrap(InvalidRequestException.requirePresent(newCodec, "The codec"));
    return this;
  }

  @Override
  public ProviderRegistry healthCheck(String check, HealthCheck healthCheck) {
    checkOpen();
    if (!CHECK
        .matcher(InvalidRequestException.requirePresent(check, "The name of a health check"))
        .matches()) {
      throw new InvalidRequestException(
          "The name '"
              + check
              + "' of a health check is invalid; expected 1 to 100 letters, digits, blanks, '_',"
              + " '.' and '-', beginning with a letter or digit.");
    }
    HealthCheck wrapped =
        jar.check(
            InvalidRequestException.requirePresent(
                healthCheck, "The health check '" + check + "'"));
    if (checks.put(check, wrapped) != null) {
      throw new InvalidRequestException(
          "The jar '"
              + name
              + "' registers two health checks named '"
              + check
              + "'; expected a name for each.");
    }
    return this;
  }

  @Override
  public ProviderRegistry onWarmUp(Runnable hook) {
    checkOpen();
    warmUps.add(jar.hook(InvalidRequestException.requirePresent(hook, "The hook of the warm-up")));
    return this;
  }

  @Override
  public ProviderRegistry onClose(AutoCloseable resource) {
    checkOpen();
    resources.add(jar.resource(InvalidRequestException.requirePresent(resource, "The resource")));
    return this;
  }

  private void checkOpen() {
    if (!isOpen) {
      throw new IllegalStateException(
          "A provider of the jar '"
              + name
              + "' registers something after register(...) has returned; register everything while"
              + " it runs.");
    }
  }

  /** Returns the registered parts; nothing can be added afterwards. */
  JarContents parts() {
    isOpen = false;
    return new JarContents(continuous, interceptors, listeners, codec, checks, warmUps);
  }

  /** True if a codec was registered, even if the jar has failed since. */
  boolean hasCodec() {
    return codec != null;
  }

  @Override
  public void close() {
    isOpen = false;
    for (AutoCloseable resource : resources.reversed()) {
      try {
        resource.close();
      } catch (Exception | LinkageError e) {
        LOG.warn("A resource of the jar '{}' could not be closed", name, e);
      }
    }
    resources.clear();
  }
}
