/** Tests of engines on real threads and real databases. */
package io.millrace.tests.runtime;
