-- Keys are searched by their beginning, in any case. Only instances that have a key cost an entry; the
-- predicates are on the expressions, so that no search for a whole key is answered from these indexes.
CREATE INDEX millrace_workflow_business_key_prefix
  ON millrace_workflow (lower(business_key) text_pattern_ops) WHERE lower(business_key) IS NOT NULL;
CREATE INDEX millrace_workflow_external_id_prefix
  ON millrace_workflow (lower(external_id) text_pattern_ops) WHERE lower(external_id) IS NOT NULL;

-- Retention passes over the ended children that a parent keeps without reading their rows. The second
-- index holds children alone, so that an instance without a parent costs no further entry.
DROP INDEX millrace_workflow_ended;
CREATE INDEX millrace_workflow_ended
  ON millrace_workflow (ended, id, parent_id) WHERE ended IS NOT NULL;
CREATE INDEX millrace_workflow_ended_child
  ON millrace_workflow (parent_id, ended, id) WHERE ended IS NOT NULL AND parent_id IS NOT NULL;
