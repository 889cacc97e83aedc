package io.millrace.springboot;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.millrace.Engine;
import io.millrace.WorkflowClient;
import io.millrace.codec.Codec;
import io.millrace.jackson2.Jackson2Codec;
import io.millrace.jackson3.Jackson3Codec;
import io.millrace.store.CallerTransactions;
import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import tools.jackson.databind.json.JsonMapper;

/**
 * The beans of an engine: the {@link Engine} itself and its {@link WorkflowClient}. Each is left
 * out if the application has its own. The names of what comes before are those of Spring Boot 3.5
 * and of 4.
 */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
      "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
      "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration"
    })
@ConditionalOnProperty(name = "millrace.enabled", matchIfMissing = true)
@EnableConfigurationProperties(MillraceProperties.class)
public final class MillraceAutoConfiguration {

  /** The engine, unless the application builds its own. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnMissingBean(Engine.class)
  static class EngineConfiguration {

    private static final String PHASE_TIMEOUT = "spring.lifecycle.timeout-per-shutdown-phase";
    private static final Duration DEFAULT_PHASE_TIMEOUT = Duration.ofSeconds(30);

    @Bean
    @ConditionalOnMissingBean
    CallerTransactions millraceTransactions(
        @MillraceDataSource ObjectProvider<DataSource> marked,
        ObjectProvider<DataSource> all,
        ListableBeanFactory beans) {
      return new SpringTransactions(EngineFactory.dataSource(marked, all, beans));
    }

    /** Opens the engine when Flyway, Liquibase or a script has made the application's tables. */
    @Bean(destroyMethod = "close")
    @DependsOnDatabaseInitialization
    Engine millraceEngine(
        @MillraceDataSource ObjectProvider<DataSource> marked,
        ObjectProvider<DataSource> all,
        ListableBeanFactory beans,
        MillraceProperties properties) {
      return new EngineFactory(beans)
          .open(EngineFactory.dataSource(marked, all, beans), properties);
    }

    @Bean
    EngineLifecycle millraceLifecycle(
        Engine engine, MillraceProperties properties, Environment environment) {
      Duration phase =
          Binder.get(environment).bind(PHASE_TIMEOUT, Duration.class).orElse(DEFAULT_PHASE_TIMEOUT);
      return new EngineLifecycle(engine, EngineLifecycle.grace(properties.drainGrace(), phase));
    }
  }

  /** The codec for applications with Jackson 3, which is taken first. */
  @Configuration(proxyBeanMethods = false)
  @Order(1)
  @ConditionalOnClass({JsonMapper.class, Jackson3Codec.class})
  @ConditionalOnMissingBean(Codec.class)
  static class Jackson3Configuration {

    @Bean
    Codec millraceCodec() {
      return new Jackson3Codec();
    }
  }

  /** The codec for applications with Jackson 2 alone. */
  @Configuration(proxyBeanMethods = false)
  @Order(2)
  @ConditionalOnClass({
    ObjectMapper.class,
    JavaTimeModule.class,
    Jdk8Module.class,
    Jackson2Codec.class
  })
  @ConditionalOnMissingBean(Codec.class)
  static class Jackson2Configuration {

    @Bean
    Codec millraceCodec() {
      return new Jackson2Codec();
    }
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnSingleCandidate(Engine.class)
  WorkflowClient millraceClient(Engine engine) {
    return engine.client();
  }
}
