package io.millrace.verification.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.Patience;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.store.StoreException;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.Map;
import javax.sql.DataSource;
import liquibase.Scope;
import liquibase.command.CommandScope;
import liquibase.command.core.UpdateCommandStep;
import liquibase.command.core.helpers.DbUrlConnectionArgumentsCommandStep;
import liquibase.database.Database;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.DirectoryResourceAccessor;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs of {@code docs/own-migrations.md}. */
class OwnMigrationsPageTest {

  private static final String ORDERS = "CREATE TABLE customer_order (number varchar(20));\n";

  @TempDir private Path folder;

  private static TestDatabase database(String kind) {
    return kind.equals("h2") ? TestDatabase.emptyH2() : TestDatabase.emptyPostgres();
  }

  // docs:start
  private static Engine start(DataSource pool, WorkflowDefinition... workflows) {
    return Engine.builder()
        .dataSource(pool)
        .schema(SchemaMode.VALIDATE)
        .workflows(workflows)
        .start();
  }

  // docs:end

  @ParameterizedTest
  @ValueSource(strings = {"h2", "postgresql"})
  void flywayAppliesThePrintedSchema(String kind) throws IOException {
    Files.writeString(folder.resolve("V1__orders.sql"), ORDERS);
    Files.writeString(folder.resolve("V2__millrace.sql"), SqlStore.printSchema(kind));
    try (TestDatabase database = database(kind)) {
      assertThatThrownBy(() -> start(database.pool()))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("millrace schema print");

      Flyway.configure()
          .dataSource(database.pool())
          .locations("filesystem:" + folder)
          .load()
          .migrate();

      assertThatAnEngineRuns(database);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "postgresql"})
  @SuppressWarnings("try") // the accessor's close() declares every exception
  void liquibaseAppliesThePrintedSchema(String kind) throws Exception {
    Files.writeString(folder.resolve("millrace.sql"), SqlStore.printSchema(kind));
    Files.writeString(
        folder.resolve("changelog.xml"),
        """
        <databaseChangeLog xmlns="http://www.liquibase.org/xml/ns/dbchangelog"
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
            xsi:schemaLocation="http://www.liquibase.org/xml/ns/dbchangelog
              http://www.liquibase.org/xml/ns/dbchangelog/dbchangelog-latest.xsd">
          <changeSet id="millrace-0.1" author="shop">
            <sqlFile path="millrace.sql" relativeToChangelogFile="true"/>
          </changeSet>
        </databaseChangeLog>
        """);
    try (TestDatabase database = database(kind);
        Connection connection = database.pool().getConnection()) {
      DirectoryResourceAccessor files = new DirectoryResourceAccessor(folder);
      Database target =
          DatabaseFactory.getInstance()
              .findCorrectDatabaseImplementation(new JdbcConnection(connection));
      Scope.child(
          Map.of(Scope.Attr.resourceAccessor.name(), files),
          () ->
              new CommandScope(UpdateCommandStep.COMMAND_NAME)
                  .addArgumentValue(DbUrlConnectionArgumentsCommandStep.DATABASE_ARG, target)
                  .addArgumentValue(UpdateCommandStep.CHANGELOG_FILE_ARG, "changelog.xml")
                  .execute());

      assertThatAnEngineRuns(database);
    }
  }

  private static void assertThatAnEngineRuns(TestDatabase database) {
    WorkflowDefinition quick =
        WorkflowDefinition.of("quick").start("go", ctx -> Next.done("went")).build();
    try (Engine engine = start(database.pool(), quick)) {
      long id = engine.client().start(StartRequest.of("quick")).id();
      engine.client().await(id, Patience.LIMIT);
      assertThat(engine.client().get(id).position().status()).isEqualTo(InstanceStatus.FINISHED);
    }
  }
}
