/** Brings messages to people and programs outside: mail and signed webhooks. One attempt each. */
@NullMarked
package io.millrace.server.deliver;

import org.jspecify.annotations.NullMarked;
