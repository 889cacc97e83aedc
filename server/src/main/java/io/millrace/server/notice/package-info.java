/**
 * The planned maintenance and the subscriptions to its messages. A maintenance, a subscription, and
 * each message to one subscriber is a workflow instance, so all of them are durable, retried, and
 * visible like other instances. A good starting point is {@link
 * io.millrace.server.notice.MaintenanceService}.
 */
@NullMarked
package io.millrace.server.notice;

import org.jspecify.annotations.NullMarked;
