/**
 * Rules about the structure of the production code, and for each rule a planted violation that it
 * must report. The violations live in {@code planted}, a small tree of packages named like those of
 * the engine. And rules about the tests that script/test runs.
 */
package io.millrace.verification.architecture;
