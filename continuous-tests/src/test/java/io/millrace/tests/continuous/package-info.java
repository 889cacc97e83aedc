/** Tests of continuous workflows, their triggers, and their stored state. */
@NullMarked
package io.millrace.tests.continuous;

import org.jspecify.annotations.NullMarked;
