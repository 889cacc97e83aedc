/** The private RabbitMQ and Redis servers of a run. */
@NullMarked
package io.millrace.benchmarks.broker;

import org.jspecify.annotations.NullMarked;
