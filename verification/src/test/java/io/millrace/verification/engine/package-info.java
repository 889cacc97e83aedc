/** How engines behave, seen through their public face, on a settable clock. */
package io.millrace.verification.engine;
