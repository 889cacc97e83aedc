/** Databases, stores and processes for the tests of this module. */
package io.millrace.verification.support;
