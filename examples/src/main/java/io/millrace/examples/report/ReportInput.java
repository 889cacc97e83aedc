package io.millrace.examples.report;

import org.jspecify.annotations.Nullable;

/**
 * The input of a run.
 *
 * @param repository folder of the repository
 * @param key short name that no other repository has
 * @param run number of the run for this repository, from 1
 * @param since commits that earlier runs collected; null for the first run
 */
record ReportInput(String repository, String key, int run, @Nullable CollectedCommits since) {}
