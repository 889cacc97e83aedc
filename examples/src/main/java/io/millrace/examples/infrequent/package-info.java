/** What is done once a day, even when the node is stopped at that minute. */
@NullMarked
package io.millrace.examples.infrequent;

import org.jspecify.annotations.NullMarked;
