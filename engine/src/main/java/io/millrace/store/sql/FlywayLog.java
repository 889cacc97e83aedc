package io.millrace.store.sql;

import org.flywaydb.core.api.logging.Log;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Flyway's log, one level lower, since its messages at each start are routine. */
record FlywayLog(Logger logger) implements Log {

  static Log of(Class<?> source) {
    return new FlywayLog(LoggerFactory.getLogger(source));
  }

  @Override
  public void debug(String message) {
    logger.trace(message);
  }

  @Override
  public void info(String message) {
    logger.debug(message);
  }

  @Override
  public void notice(String message) {
    logger.debug(message);
  }

  @Override
  public void warn(String message) {
    logger.warn(message);
  }

  @Override
  public void error(String message) {
    logger.error(message);
  }

  @Override
  public void error(String message, Exception cause) {
    logger.error(message, cause);
  }
}
