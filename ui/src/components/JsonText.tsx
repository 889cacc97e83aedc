import { useMemo } from "react";
import { CopyButton } from "./CopyButton";
import { layOut } from "./json";

/** JSON with indentation and colors, with all digits as written; "none" for null and undefined. */
export function JsonText({ json, label = "JSON" }: { json: string | null | undefined; label?: string }) {
  const tokens = useMemo(() => (json == null ? null : layOut(json)), [json]);
  if (json == null) return <span className="faint">none</span>;
  return (
    <div className="json">
      <pre tabIndex={0} role="region" aria-label={label}>
        {tokens
          ? tokens.map(({ kind, text }, index) => (
              <span key={index} className={`json-${kind}`}>
                {text}
              </span>
            ))
          : json}
      </pre>
      <CopyButton text={json} label={`Copy ${label}`} />
    </div>
  );
}
