import { TriangleAlert } from "lucide-react";
import { ApiError, Unreachable } from "../api/client";
import { isSameError, useTrouble } from "../app/trouble";
import { Button } from "./Button";

/** What went wrong in words, and what to do. */
export function errorText(error: unknown): { title: string; detail: string; fields: { field: string; message: string }[] } {
  if (error instanceof ApiError) {
    return { title: error.problem.title, detail: error.problem.detail, fields: error.problem.errors ?? [] };
  }
  if (error instanceof Unreachable) {
    return {
      title: error.message,
      detail: "Check that it runs and that this browser can reach it. The page goes on by itself when it is back.",
      fields: [],
    };
  }
  return { title: "This page has a fault", detail: error instanceof Error ? error.message : String(error), fields: [] };
}

/** The error of a part of a page that could not be read; short where the banner above the page tells the same. */
export function ReadError({ error, retry }: { error: unknown; retry?: () => void }) {
  const trouble = useTrouble();
  if (!isSameError(trouble, error)) return <ErrorPanel error={error} retry={retry} />;
  return (
    <p className="unread muted">
      This part was not loaded. {retry && <Button onClick={retry}>Try again</Button>}
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
        {retry && <Button onClick={retry}>Try again</Button>}
      </div>
    </div>
  );
}
