import { TriangleAlert } from "lucide-react";
import { ApiError, Unreachable } from "../api/client";
import { isSameError, useTrouble } from "../app/trouble";
import { Button } from "./Button";

/** Returns the text of an error: title, detail, and messages about fields. */
export function errorText(error: unknown): { title: string; detail: string; fields: { field: string; message: string }[] } {
  if (error instanceof ApiError) {
    return { title: error.problem.title, detail: error.problem.detail, fields: error.problem.errors ?? [] };
  }
  if (error instanceof Unreachable) {
    return {
      title: error.message,
      detail: "Check that it runs and that this browser can reach it. The page resumes by itself when the server is back.",
      fields: [],
    };
  }
  return { title: "Unexpected error in this page", detail: error instanceof Error ? error.message : String(error), fields: [] };
}

/** The error of a part of a page that could not be read; short if the banner above the page reports the same. */
export function ReadError({ error, retry }: { error: unknown; retry?: () => void }) {
  const trouble = useTrouble();
  if (!isSameError(trouble, error)) return <ErrorPanel error={error} retry={retry} />;
  return (
    <p className="unread muted">
      This part could not be loaded. {retry && <Button onClick={retry}>Retry</Button>}
    </p>
  );
}

export function ErrorPanel({ error, retry }: { error: unknown; retry?: () => void }) {
  const { title, detail, fields } = errorText(error);
  return (
    <div className="error-panel" role="alert">
      <TriangleAlert size={16} aria-hidden="true" />
      <div>
        <strong>{title}</strong>
        {detail !== title && <p>{detail}</p>}
        {fields.length > 0 && (
          <ul>
            {fields.map(({ field, message }) => (
              <li key={field + message}>
                <code>{field}</code> {message}
              </li>
            ))}
          </ul>
        )}
        {retry && <Button onClick={retry}>Retry</Button>}
      </div>
    </div>
  );
}
