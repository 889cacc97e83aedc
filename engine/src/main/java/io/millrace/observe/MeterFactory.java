package io.millrace.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

/** A factory of the meters of one registry. */
record MeterFactory(MeterRegistry registry, Tags tags) {

  Timer timer(String name, String description) {
    return timer(name, description, tags);
  }

  Timer timer(String name, String description, Tags own) {
    return Timer.builder(name).description(description).tags(own).register(registry);
  }

  DistributionSummary sizes(String name, String description) {
    return DistributionSummary.builder(name).description(description).tags(tags).register(registry);
  }

  Counter counter(String name, String description, Tags own) {
    return Counter.builder(name).description(description).tags(own).register(registry);
  }
}
