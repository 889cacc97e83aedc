/** Tests of task sequences over RabbitMQ. */
package io.millrace.verification.sequence;
