/** Helpers of the tests of several packages. */
package io.millrace.verification.support;
