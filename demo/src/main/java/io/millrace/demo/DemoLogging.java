package io.millrace.demo;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.filter.ThresholdFilter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import io.millrace.demo.shop.DemoShop;
import java.util.Iterator;
import org.slf4j.LoggerFactory;

/**
 * The logging setup of the demo. Log lines of the shop belong to its instances, and failed orders
 * are part of the demo, so the screen shows errors only.
 */
final class DemoLogging {

  private DemoLogging() {}

  /** Limits the screen to errors, and lets other appenders receive all log lines of the shop. */
  static void theScreen() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      Iterator<Appender<ILoggingEvent>> screen =
          context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).iteratorForAppenders();
      while (screen.hasNext()) {
        ThresholdFilter errors = new ThresholdFilter();
        errors.setLevel(Level.ERROR.levelStr);
        errors.start();
        screen.next().addFilter(errors);
      }
      Logger shop = context.getLogger(DemoShop.class.getPackageName());
      shop.setLevel(Level.INFO);
    }
  }
}
