import { useState, type ReactNode } from "react";

/** What is rarely looked at. Whether it is open is up to the user; `begins` says how it is at first. */
export function More({ summary, begins = false, className = "form-more", children }: {
  summary: string;
  begins?: boolean;
  className?: string;
  children: ReactNode;
}) {
  const [open] = useState(begins);
  return (
    <details className={className} open={open}>
      <summary>{summary}</summary>
      {children}
    </details>
  );
}
