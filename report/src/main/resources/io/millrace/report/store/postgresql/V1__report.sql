-- Results of KPIs, and finished reports.

CREATE TABLE millrace_report_result (
  execution_id bigint NOT NULL,
  kpi_id       varchar(100) COLLATE "C" NOT NULL,
  report       varchar(100) COLLATE "C" NOT NULL,
  window_from  timestamptz NOT NULL,
  window_to    timestamptz NOT NULL,
  kpi_value    double precision,
  result       text NOT NULL,
  stored_at    timestamptz NOT NULL,
  CONSTRAINT millrace_report_result_key PRIMARY KEY (execution_id, kpi_id)
);
COMMENT ON TABLE millrace_report_result IS
  'The result of a KPI. Written by the task KPI, which replaces it when the execution repeats the '
  'task.';
COMMENT ON COLUMN millrace_report_result.execution_id IS 'Execution that computed the result.';
COMMENT ON COLUMN millrace_report_result.kpi_id IS 'The KPI.';
COMMENT ON COLUMN millrace_report_result.report IS 'Name of the report.';
COMMENT ON COLUMN millrace_report_result.window_from IS 'Start of the data window.';
COMMENT ON COLUMN millrace_report_result.window_to IS 'End of the data window.';
COMMENT ON COLUMN millrace_report_result.kpi_value IS
  'Value of the KPI. Null where there was no data.';
COMMENT ON COLUMN millrace_report_result.result IS
  'The whole result as JSON: value, series, table and findings.';
COMMENT ON COLUMN millrace_report_result.stored_at IS 'When the result was last stored.';

CREATE TABLE millrace_report_pdf (
  execution_id bigint NOT NULL,
  report       varchar(100) COLLATE "C" NOT NULL,
  sequence_id  varchar(200) COLLATE "C" NOT NULL,
  title        varchar(300) NOT NULL,
  file_name    varchar(200) NOT NULL,
  content      bytea NOT NULL,
  created_at   timestamptz NOT NULL,
  CONSTRAINT millrace_report_pdf_key PRIMARY KEY (execution_id, report)
);
COMMENT ON TABLE millrace_report_pdf IS
  'A finished report. Written by the task PDF, which replaces it when the execution repeats the '
  'task.';
COMMENT ON COLUMN millrace_report_pdf.execution_id IS 'Execution that made the report.';
COMMENT ON COLUMN millrace_report_pdf.report IS 'Name of the report.';
COMMENT ON COLUMN millrace_report_pdf.sequence_id IS 'The task sequence.';
COMMENT ON COLUMN millrace_report_pdf.title IS 'Title of the report.';
COMMENT ON COLUMN millrace_report_pdf.file_name IS 'Name of the file for a download.';
COMMENT ON COLUMN millrace_report_pdf.content IS 'The PDF.';
COMMENT ON COLUMN millrace_report_pdf.created_at IS 'When the report was made.';
CREATE INDEX millrace_report_pdf_sequence ON millrace_report_pdf (sequence_id, execution_id);
