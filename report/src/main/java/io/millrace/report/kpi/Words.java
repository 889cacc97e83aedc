package io.millrace.report.kpi;

import java.util.HashMap;
import java.util.Map;

/** Collects the values of a message. Not thread-safe. */
final class Words {

  private final String rule;
  private final Map<String, String> values = new HashMap<>();

  Words(String rule, Facts facts) {
    this.rule = rule;
    text("name", facts.name());
    number("value", facts.valueOrNaN());
  }

  Words number(String name, double value) {
    return text(name, Figures.format(value));
  }

  Words text(String name, String value) {
    values.put(name, value);
    return this;
  }

  Inference say(Finding finding, Sentiment sentiment, Messages own, Map<Finding, String> standard) {
    return new Inference(rule, finding, sentiment, own.text(finding, standard, values));
  }
}
