/**
 * Real processes under real faults: three engines on one PostgreSQL server, a client, a journal
 * outside them, a nemesis that kills, freezes and cuts, and a checker that decides afterwards
 * whether every promise was kept.
 */
package io.millrace.verification.chaos;
