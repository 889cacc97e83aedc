/** The JVMs of a run, each with one role, so that every engine has a process of its own. */
@NullMarked
package io.millrace.benchmarks.process;

import org.jspecify.annotations.NullMarked;
