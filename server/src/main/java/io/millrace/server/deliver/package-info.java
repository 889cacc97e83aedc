/** Delivery of messages to people and programs: mail and signed webhooks, with one attempt each. */
@NullMarked
package io.millrace.server.deliver;

import org.jspecify.annotations.NullMarked;
