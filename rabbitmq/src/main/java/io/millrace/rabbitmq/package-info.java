/**
 * Channels of task sequences over RabbitMQ: {@link io.millrace.rabbitmq.RabbitTransport} is made
 * from {@link io.millrace.rabbitmq.RabbitSettings}. Each node has two connections, one to send and
 * one to receive, since a broker that is short of memory stops reading from connections that send.
 *
 * <p>{@link io.millrace.rabbitmq.RabbitTriggers} are queues whose messages start executions of
 * continuous workflows.
 */
@NullMarked
package io.millrace.rabbitmq;

import org.jspecify.annotations.NullMarked;
