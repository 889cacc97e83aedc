/**
 * The programs of the documentation, compiled and run, and the checks that the printed code is the
 * code that runs here. Text between {@code // docs:name} and {@code // docs:end} appears in a page
 * under that name.
 */
package io.millrace.verification.docs;
