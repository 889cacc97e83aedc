package io.millrace.report.pdf;

import com.openhtmltopdf.util.Diagnostic;
import com.openhtmltopdf.util.XRLogger;
import java.util.logging.Level;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logger that passes the renderer's messages to SLF4J: warnings unchanged, the others as debug. */
final class RendererLog implements XRLogger {

  private static final Logger LOG = LoggerFactory.getLogger(RendererLog.class);

  @Override
  public void log(String where, Level level, String message) {
    if (level.intValue() >= Level.WARNING.intValue()) {
      LOG.warn("{}", message);
    } else {
      LOG.debug("{}", message);
    }
  }

  @Override
  public void log(String where, Level level, String message, Throwable failure) {
    LOG.warn("{}", message, failure);
  }

  @Override
  public void setLevel(String where, Level level) {}

  @Override
  public boolean isLogLevelEnabled(Diagnostic diagnostic) {
    return diagnostic.getLevel().intValue() >= Level.WARNING.intValue() || LOG.isDebugEnabled();
  }
}
