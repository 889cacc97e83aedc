/** A private RabbitMQ broker of a test, to be killed and to lose its data. */
package io.millrace.verification.chaos.rabbitmq;
