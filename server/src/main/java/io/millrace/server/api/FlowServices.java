package io.millrace.server.api;

import io.millrace.redis.admin.FlowAdmin;
import io.millrace.redis.jobs.JobStore;

/** The Redis flows, as operators see and steer them. Thread-safe. */
public record FlowServices(FlowAdmin admin, JobStore jobs) {}
