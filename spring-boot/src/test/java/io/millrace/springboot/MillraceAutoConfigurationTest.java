package io.millrace.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.WorkflowClient;
import io.millrace.codec.Codec;
import io.millrace.fixtures.Patience;
import io.millrace.instance.StartRequest;
import io.millrace.jackson2.Jackson2Codec;
import io.millrace.jackson3.Jackson3Codec;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.annotation.Order;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.json.JsonMapper;

class MillraceAutoConfigurationTest {

  @Test
  void aWorkflowRunsWithOneBeanAndNoProperty() {
    Contexts.jdbc(GreeterApplication.class)
        .run(context -> {
          WorkflowClient client = context.getBean(WorkflowClient.class);
          long id = client.start(StartRequest.of("greeting", "Ada")).id();
          assertThat(client.await(id, Patience.LIMIT).position().reason()).isEqualTo("hello Ada");
        });
  }

  @Test
  void nothingIsThereIfItIsSwitchedOff() {
    Contexts.withoutDataSource(Contexts.Bare.class)
        .withPropertyValues("millrace.enabled=false")
        .run(context ->
            assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(Engine.class)
                .doesNotHaveBean(WorkflowClient.class)
                .doesNotHaveBean(EngineLifecycle.class));
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnEngine {
    @Bean
    Engine own(DataSource pool) {
      return Engine.builder()
          .dataSource(pool)
          .codec(new Jackson3Codec())
          .settings(settings -> settings.executorGroup("own").runsInstances(false))
          .start();
    }
  }

  @Test
  void anEngineOfTheApplicationTakesThePlaceOfOurs() {
    Contexts.jdbc(Contexts.Bare.class, OwnEngine.class)
        .run(context -> {
          assertThat(context).hasSingleBean(Engine.class).doesNotHaveBean(EngineLifecycle.class);
          assertThat(context.getBean(WorkflowClient.class))
              .isEqualTo(context.getBean("own", Engine.class).client());
        });
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnCodec {
    static final Jackson3Codec OWN = new Jackson3Codec();

    @Bean
    Codec codec() {
      return OWN;
    }
  }

  @Test
  void aCodecOfTheApplicationTakesThePlaceOfOurs() {
    Contexts.jdbc(Contexts.Bare.class, OwnCodec.class)
        .run(context -> assertThat(context.getBean(Codec.class)).isEqualTo(OwnCodec.OWN));
  }

  @Test
  void theCodecIsThatOfTheJacksonThatIsThere() {
    Contexts.jdbc(Contexts.Bare.class)
        .run(context -> assertThat(context.getBean(Codec.class)).isInstanceOf(Jackson3Codec.class));
    Contexts.jdbc(Contexts.Bare.class)
        .withClassLoader(new FilteredClassLoader(JsonMapper.class))
        .run(context -> assertThat(context.getBean(Codec.class)).isInstanceOf(Jackson2Codec.class));
  }

  @Test
  void withoutJacksonTheStartSaysWhatToAdd() {
    Contexts.jdbc(Contexts.Bare.class)
        .withClassLoader(
            new FilteredClassLoader("tools.jackson.databind", "com.fasterxml.jackson.datatype"))
        .run(context ->
            assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("no Jackson")
                .hasMessageContaining("spring-boot-starter-jackson"));
  }

  @Configuration(proxyBeanMethods = false)
  static class Customizers {
    static final List<String> SEEN = new ArrayList<>();

    @Bean
    @Order(2)
    EngineCustomizer second() {
      return builder ->
          builder.settings(settings -> {
            SEEN.add(settings.executorGroup());
            return settings.executorGroup("second");
          });
    }

    @Bean
    @Order(1)
    EngineCustomizer first() {
      return builder ->
          builder.settings(settings -> {
            SEEN.add(settings.executorGroup());
            return settings.executorGroup("first");
          });
    }
  }

  @Test
  void customizersAreAppliedInOrderAfterTheProperties() {
    Customizers.SEEN.clear();
    Contexts.jdbc(Contexts.Bare.class, Customizers.class)
        .withPropertyValues("millrace.executor-group=property")
        .run(context -> {
          assertThat(Customizers.SEEN).containsExactly("property", "first");
          assertThat(context.getBean(WorkflowClient.class).executors("second")).hasSize(1);
        });
  }

  @Test
  void withoutADataSourceTheStartSaysWhatToAdd() {
    Contexts.withoutDataSource(Contexts.Bare.class)
        .run(context ->
            assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("the application has none")
                .hasMessageContaining("spring.datasource.url")
                .hasMessageContaining("millrace.enabled=false"));
  }

  private static DataSource pool() {
    return JdbcConnectionPool.create(
        "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "", "");
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoDataSources {
    @Bean
    DataSource orders() {
      return pool();
    }

    @Bean
    DataSource figures() {
      return pool();
    }
  }

  @Test
  void ofSeveralDataSourcesNoneIsGuessed() {
    Contexts.withoutDataSource(Contexts.Bare.class, TwoDataSources.class)
        .run(context -> {
          assertThat(context).hasFailed();
          Throwable failure = context.getStartupFailure();
          FailureAnalysis analysis = new EngineSetupFailureAnalyzer().analyze(failure);
          assertThat(analysis.getDescription()).contains("orders, figures");
          assertThat(analysis.getAction()).contains("@MillraceDataSource");
        });
  }

  @Configuration(proxyBeanMethods = false)
  static class Primaries {
    @Bean
    @Primary
    DataSource orders() {
      return pool();
    }

    @Bean
    DataSource figures() {
      return pool();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Marked {
    @Bean
    @MillraceDataSource
    DataSource workflows() {
      return pool();
    }
  }

  @Test
  void thePrimaryDataSourceIsTakenUnlessAnotherIsMarked() {
    Contexts.withoutDataSource(Contexts.Bare.class, Primaries.class)
        .run(context -> assertThat(tables(context.getBean("orders", DataSource.class))).isOne());
    Contexts.withoutDataSource(Contexts.Bare.class, Primaries.class, Marked.class)
        .run(context -> {
          assertThat(tables(context.getBean("workflows", DataSource.class))).isOne();
          assertThat(tables(context.getBean("orders", DataSource.class))).isZero();
        });
  }

  private static int tables(DataSource pool) {
    return new JdbcTemplate(pool)
        .queryForList(
            "SELECT 1 FROM information_schema.tables WHERE table_name = 'MILLRACE_INSTANCE'")
        .size();
  }

  @Test
  void anInvalidPropertyIsNamed() {
    Contexts.jdbc(Contexts.Bare.class)
        .withPropertyValues("millrace.concurrency=0")
        .run(context ->
            assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("millrace.concurrency")
                .hasMessageContaining("expected 1 or more"));
    Contexts.jdbc(Contexts.Bare.class)
        .withPropertyValues("millrace.schema=creat")
        .run(context ->
            assertThat(context)
                .getFailure()
                .hasStackTraceContaining("millrace.schema")
                .rootCause()
                .hasMessageContaining("creat"));
  }

  @Test
  void theTablesAreOnlyCheckedIfAPropertySaysSo() {
    Contexts.jdbc(Contexts.Bare.class)
        .withPropertyValues("millrace.schema=validate")
        .run(context -> assertThat(context).getFailure().hasStackTraceContaining("StoreException"));
  }
}
