package io.millrace.verification.support;

import com.zaxxer.hikari.HikariDataSource;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;

/** The connection pools with which the engine is tested, at their default settings. */
public enum PoolKind {
  HIKARI {
    @Override
    public OpenPool open(String url, int connections) {
      HikariDataSource pool = new HikariDataSource();
      pool.setJdbcUrl(url);
      pool.setMaximumPoolSize(connections);
      pool.setConnectionTimeout(Patience.LIMIT.toMillis());
      return new OpenPool(pool, pool::close);
    }
  },
  DBCP2 {
    @Override
    public OpenPool open(String url, int connections) {
      BasicDataSource pool = new BasicDataSource();
      pool.setUrl(url);
      pool.setMaxTotal(connections);
      pool.setMaxIdle(connections);
      pool.setMaxWait(Patience.LIMIT);
      return new OpenPool(pool, pool::close);
    }
  },
  AGROAL {
    @Override
    public OpenPool open(String url, int connections) throws SQLException {
      AgroalDataSource pool =
          AgroalDataSource.from(
              new AgroalDataSourceConfigurationSupplier()
                  .connectionPoolConfiguration(settings ->
                      settings
                          .maxSize(connections)
                          .acquisitionTimeout(Patience.LIMIT)
                          .connectionFactoryConfiguration(driver -> driver.jdbcUrl(url))));
      return new OpenPool(pool, pool::close);
    }
  };

  /** The close operation of a pool. */
  @FunctionalInterface
  public interface PoolEnd {
    void close() throws SQLException;
  }

  /** An open pool. */
  public record OpenPool(DataSource dataSource, PoolEnd end) implements AutoCloseable {
    @Override
    public void close() throws SQLException {
      end.close();
    }
  }

  /** Opens a pool with at most so many connections. */
  public abstract OpenPool open(String url, int connections) throws SQLException;
}
