/** A private RabbitMQ for what is measured over it. */
@NullMarked
package io.millrace.benchmarks.broker;

import org.jspecify.annotations.NullMarked;
