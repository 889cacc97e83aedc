/**
 * What an engine tells about itself while it works. Listeners watch; they cannot change the course.
 */
@NullMarked
package io.millrace.event;

import org.jspecify.annotations.NullMarked;
