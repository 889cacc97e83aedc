/** The captured log and the threads of engines, for the tests of several packages. */
package io.millrace.tests.support;
