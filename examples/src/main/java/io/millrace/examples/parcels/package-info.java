/** Jobs that go through two queues on Redis, alone and as a step of a workflow. */
@NullMarked
package io.millrace.examples.parcels;

import org.jspecify.annotations.NullMarked;
