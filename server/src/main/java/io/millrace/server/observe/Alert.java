package io.millrace.server.observe;

import java.time.Instant;

/**
 * What a rule has found.
 *
 * @param rule its name
 * @param when what it looks at, as in the configuration
 * @param threshold from which count on it is an alert
 * @param detail one sentence
 * @param since when it was found first
 */
record Alert(String rule, String when, long count, int threshold, String detail, Instant since) {}
