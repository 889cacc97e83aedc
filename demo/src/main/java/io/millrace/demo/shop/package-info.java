/**
 * The demo's online shop: its goods, bank, carrier and customers, and the workflows that run it.
 */
@NullMarked
package io.millrace.demo.shop;

import org.jspecify.annotations.NullMarked;
