/** A RabbitMQ of a test's own, to be killed and to lose its data. */
package io.millrace.verification.chaos.rabbitmq;
