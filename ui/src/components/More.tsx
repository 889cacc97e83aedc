import { useState, type ReactNode } from "react";

/** A section of details that the user opens and closes. It starts open if `begins` is true. */
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
