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

/** What the shop logs belongs to its instances, and orders that fail are part of the play. */
final class DemoLogging {

  private DemoLogging() {}

  /** Lets only errors through to the screen, and all the shop says to whoever else listens. */
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
