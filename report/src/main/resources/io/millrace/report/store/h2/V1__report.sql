-- Results of KPIs, and finished reports.
--
-- Each statement can be repeated: H2 keeps those that were done when a migration is cut short.

CREATE TABLE IF NOT EXISTS millrace_report_result (
  execution_id bigint NOT NULL,
  kpi_id       varchar(100) NOT NULL,
  report       varchar(100) NOT NULL,
  window_from  timestamp(6) with time zone NOT NULL,
  window_to    timestamp(6) with time zone NOT NULL,
  kpi_value    double precision,
  result       text NOT NULL,
  stored_at    timestamp(6) with time zone NOT NULL,
  CONSTRAINT millrace_report_result_key PRIMARY KEY (execution_id, kpi_id)
);

CREATE TABLE IF NOT EXISTS millrace_report_pdf (
  execution_id bigint NOT NULL,
  report       varchar(100) NOT NULL,
  sequence_id  varchar(200) NOT NULL,
  title        varchar(300) NOT NULL,
  file_name    varchar(200) NOT NULL,
  content      blob NOT NULL,
  created_at   timestamp(6) with time zone NOT NULL,
  CONSTRAINT millrace_report_pdf_key PRIMARY KEY (execution_id, report)
);
CREATE INDEX IF NOT EXISTS millrace_report_pdf_sequence
  ON millrace_report_pdf (sequence_id, execution_id);
