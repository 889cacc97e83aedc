package io.millrace.springboot;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

/** Contexts of applications on embedded H2, one database each. */
final class Contexts {

  private static final String JPA =
      "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration,"
          + "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
          + "org.springframework.boot.autoconfigure.data.jpa.JpaRepositoriesAutoConfiguration,"
          + "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration";

  private static final String DATA_SOURCE =
      "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration,"
          + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration";

  private Contexts() {}

  /** An application without beans of its own. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Bare {}

  /** Returns a context with JDBC alone. */
  static ApplicationContextRunner jdbc(Class<?>... beans) {
    return jpa(beans).withPropertyValues("spring.autoconfigure.exclude=" + JPA);
  }

  /** Returns a context with JPA, whose transactions Hibernate begins. */
  static ApplicationContextRunner jpa(Class<?>... beans) {
    return new ApplicationContextRunner()
        .withUserConfiguration(beans)
        .withPropertyValues(
            "spring.sql.init.schema-locations=classpath:customer-order.sql",
            "spring.jpa.hibernate.ddl-auto=none");
  }

  /** Returns a context without a data source. */
  static ApplicationContextRunner withoutDataSource(Class<?>... beans) {
    return jpa(beans).withPropertyValues("spring.autoconfigure.exclude=" + JPA + "," + DATA_SOURCE);
  }
}
