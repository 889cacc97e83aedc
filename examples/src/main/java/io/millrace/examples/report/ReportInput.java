package io.millrace.examples.report;

import org.jspecify.annotations.Nullable;

/**
 * The input of a run.
 *
 * @param repository its folder
 * @param key tells the repository from all others
 * @param run the run's number for this repository, from 1
 * @param since what earlier runs collected; null for the first run
 */
record ReportInput(String repository, String key, int run, @Nullable CollectedCommits since) {}
