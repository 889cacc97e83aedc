/** Tests of the promises of task sequences, on the real engine with a clock that the tests set. */
package io.millrace.tests.sequence;
