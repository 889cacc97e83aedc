package io.millrace.server.api;

import io.millrace.redis.admin.FlowAdmin;
import io.millrace.redis.jobs.JobStore;

/** The services that inspect and change Redis flows. Thread-safe. */
public record FlowServices(FlowAdmin admin, JobStore jobs) {}
