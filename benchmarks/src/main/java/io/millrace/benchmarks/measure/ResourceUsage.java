package io.millrace.benchmarks.measure;

/**
 * What a stretch of time took.
 *
 * @param javaMillis processor time of this process
 * @param serverMillis processor time of the server with all its processes; NaN where the system
 *     does not tell
 * @param walBytes what the server wrote to its write-ahead log
 * @param allocatedBytes heap that all threads of this process took, as far as it is known
 */
public record ResourceUsage(
    double seconds, double javaMillis, double serverMillis, long walBytes, long allocatedBytes) {}
