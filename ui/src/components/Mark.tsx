/** The logo of Millrace. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d="M6 20c3.3-6 6.7-6 10 0s6.7 6 10 0M6 12c3.3-6 6.7-6 10 0s6.7 6 10 0" />
    </svg>
  );
}
