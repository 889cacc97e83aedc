package io.millrace.springboot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Prints an {@link EngineSetupException} without its stack, when it ends an application. */
final class EngineSetupFailureAnalyzer extends AbstractFailureAnalyzer<EngineSetupException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, EngineSetupException cause) {
    return new FailureAnalysis(cause.description(), cause.action(), cause);
  }
}
