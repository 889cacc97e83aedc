/**
 * Rules about the structure of the production code, and for each rule a planted violation that it
 * must report. The violations are in {@code planted}, a small tree of packages named like those of
 * the engine. The package also contains rules about the tests that script/test runs.
 */
package io.millrace.verification.architecture;
