/** The demo: a shop with thirty days of genuine history that continues in real time. */
@NullMarked
package io.millrace.demo;

import org.jspecify.annotations.NullMarked;
