package io.millrace.server.observe;

import java.time.Instant;

/**
 * The finding of an alert rule.
 *
 * @param rule name of the rule
 * @param when condition, as in the configuration
 * @param threshold count from which on it is an alert
 * @param detail one sentence
 * @param since time at which it was first found
 */
record Alert(String rule, String when, long count, int threshold, String detail, Instant since) {}
