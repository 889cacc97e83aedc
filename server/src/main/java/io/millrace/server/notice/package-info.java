/**
 * Planned maintenance and those who want to be told of it. Everything here is a workflow instance:
 * a maintenance, a subscription, and each message to one subscriber; so all of it is durable,
 * repeated, and seen like any other. Begin reading with {@link
 * io.millrace.server.notice.MaintenanceService}.
 */
@NullMarked
package io.millrace.server.notice;

import org.jspecify.annotations.NullMarked;
