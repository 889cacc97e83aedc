package io.millrace.report.kpi;

/**
 * A figure described in words.
 *
 * @param rule the name of the rule that found it, for example {@code TREND}
 */
public record Inference(String rule, Finding finding, Sentiment sentiment, String text) {}
