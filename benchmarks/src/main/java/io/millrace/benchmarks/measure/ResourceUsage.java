package io.millrace.benchmarks.measure;

/**
 * The resources that a span of time consumed.
 *
 * @param javaMillis processor time of this process
 * @param serverMillis processor time of all processes of the server; NaN if the operating system
 *     does not report it
 * @param walBytes bytes that the server wrote to its write-ahead log
 * @param allocatedBytes heap that all threads of this process allocated, as far as known
 */
public record ResourceUsage(
    double seconds, double javaMillis, double serverMillis, long walBytes, long allocatedBytes) {}
