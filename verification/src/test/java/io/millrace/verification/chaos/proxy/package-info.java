/** A small TCP proxy that cuts, delays and loses what passes through it. */
package io.millrace.verification.chaos.proxy;
