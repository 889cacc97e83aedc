package io.millrace.springboot;

import io.millrace.Engine;
import io.millrace.EngineBuilder;
import io.millrace.codec.Codec;
import io.millrace.codec.SecretKeys;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.definition.AttemptInterceptor;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineListener;
import io.millrace.extension.EngineExtension;
import io.millrace.sequence.TaskSequence;
import io.millrace.store.CallerTransactions;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/** Builds the engine from the properties and the beans of an application. */
final class EngineFactory {

  private final ListableBeanFactory beans;

  EngineFactory(ListableBeanFactory beans) {
    this.beans = beans;
  }

  /** Returns an engine that is open, but does not work yet. */
  Engine open(DataSource dataSource, MillraceProperties properties) {
    EngineBuilder builder =
        Engine.builder()
            .dataSource(dataSource)
            .codec(codec())
            .settings(properties::applyTo)
            .workflows(all(WorkflowDefinition.class).toList());
    if (properties.schema() != null) {
      builder.schema(properties.schema());
    }
    beans.getBeanProvider(CallerTransactions.class).ifAvailable(builder::transactions);
    beans.getBeanProvider(SecretKeys.class).ifAvailable(builder::secretKey);
    all(TaskSequence.class).forEach(builder::sequence);
    all(ContinuousWorkflow.class).forEach(builder::continuous);
    all(AttemptInterceptor.class).forEach(builder::interceptor);
    all(EngineListener.class).forEach(builder::listener);
    List<EngineExtension> features = all(EngineExtension.class).toList();
    if (!features.isEmpty()) {
      builder.with(features.toArray(EngineExtension[]::new));
    }
    all(EngineCustomizer.class).forEach(customizer -> customizer.customize(builder));
    return builder.open();
  }

  private <T> Stream<T> all(Class<T> type) {
    return beans.getBeanProvider(type).orderedStream();
  }

  private Codec codec() {
    Codec codec = beans.getBeanProvider(Codec.class).getIfAvailable();
    if (codec == null) {
      throw new EngineSetupException(
          "Millrace writes values as JSON, but the application has no Jackson and no bean of type"
              + " io.millrace.codec.Codec.",
          "Add the dependency spring-boot-starter-json (Spring Boot 3.5) or"
              + " spring-boot-starter-jackson (Spring Boot 4), or declare a Codec.");
    }
    return codec;
  }

  /**
   * Returns the data source that the engine uses: the one with {@link MillraceDataSource}, or else
   * the only or primary one of the application.
   */
  static DataSource dataSource(
      ObjectProvider<DataSource> marked,
      ObjectProvider<DataSource> all,
      ListableBeanFactory beans) {
    List<DataSource> chosen = marked.stream().toList();
    if (chosen.size() > 1) {
      throw new EngineSetupException(
          "Millrace needs one data source, but "
              + chosen.size()
              + " beans have the annotation @MillraceDataSource.",
          "Leave the annotation on one of them.");
    }
    DataSource found = chosen.isEmpty() ? all.getIfUnique() : chosen.getFirst();
    if (found == null) {
      throw missing(List.of(beans.getBeanNamesForType(DataSource.class)));
    }
    // The engine ends its own transactions, never those that the proxy would join.
    return found instanceof TransactionAwareDataSourceProxy proxy
            && proxy.getTargetDataSource() != null
        ? proxy.getTargetDataSource()
        : found;
  }

  private static EngineSetupException missing(List<String> names) {
    return names.isEmpty()
        ? new EngineSetupException(
            "Millrace needs a bean of type javax.sql.DataSource for PostgreSQL or H2, but the"
                + " application has none.",
            "Add spring-boot-starter-jdbc or spring-boot-starter-data-jpa and the driver, and set"
                + " spring.datasource.url; or set millrace.enabled=false.")
        : new EngineSetupException(
            "Millrace needs one data source, but the application has several, of which none is"
                + " primary: "
                + String.join(", ", names)
                + ".",
            "Annotate that of the engine with @MillraceDataSource, or one with @Primary.");
  }
}
