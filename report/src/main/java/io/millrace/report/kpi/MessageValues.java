package io.millrace.report.kpi;

import java.util.HashMap;
import java.util.Map;

/** Collector of the values of a message. Not thread-safe. */
final class MessageValues {

  private final String rule;
  private final Map<String, String> values = new HashMap<>();

  MessageValues(String rule, RuleInput ruleInput) {
    this.rule = rule;
    text("name", ruleInput.name());
    number("value", ruleInput.valueOrNaN());
  }

  MessageValues number(String name, double value) {
    return text(name, NumberText.format(value));
  }

  MessageValues text(String name, String value) {
    values.put(name, value);
    return this;
  }

  Inference say(
      Finding finding, Sentiment sentiment, RuleMessages own, Map<Finding, String> standard) {
    return new Inference(rule, finding, sentiment, own.text(finding, standard, values));
  }
}
