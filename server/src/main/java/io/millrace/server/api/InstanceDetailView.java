package io.millrace.server.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Schema InstanceDetail.
 *
 * @param input JSON text; null when there is none or it is secret
 * @param allowed what the caller may do to it now
 */
record InstanceDetailView(
    @JsonUnwrapped InstanceView instance,
    @Nullable String input,
    boolean inputSecret,
    StatusReasonView why,
    List<String> allowed,
    @Nullable StuckView stuck) {

  /** Schema Stuck. */
  record StuckView(double runningSeconds, String state, List<String> stackTrace) {}
}
