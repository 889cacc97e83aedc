/** Work that runs once a day, even if the node is stopped at that minute. */
@NullMarked
package io.millrace.examples.infrequent;

import org.jspecify.annotations.NullMarked;
