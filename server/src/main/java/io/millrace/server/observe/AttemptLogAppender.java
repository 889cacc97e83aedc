package io.millrace.server.observe;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;

/** An appender that passes every line to the capture. */
final class AttemptLogAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {

  private final LogCapture capture;

  AttemptLogAppender(LogCapture capture) {
    this.capture = capture;
    setName("millrace-attempts");
  }

  @Override
  protected void append(ILoggingEvent event) {
    capture.take(event);
  }
}
