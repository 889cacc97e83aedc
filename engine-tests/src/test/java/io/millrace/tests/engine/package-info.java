/** Tests of engines through their public API, on a settable clock. */
package io.millrace.tests.engine;
