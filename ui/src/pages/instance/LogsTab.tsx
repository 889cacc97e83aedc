import { Fragment, useState } from "react";
import type { LogLine } from "../../api/schema";
import { EmptyState } from "../../components/EmptyState";
import { Loaded } from "../../components/Loaded";
import { AbsoluteTime } from "../../components/Time";
import { attemptsOf, levels, upFrom } from "./logs";
import { More } from "./More";
import { useLogs } from "./useHistory";

/** The log lines of the instance's handlers, grouped by attempt. */
export function LogsTab({ id }: { id: number }) {
  const { query, lines } = useLogs(id);
  const [level, setLevel] = useState<LogLine["level"]>("trace");
  return (
    <Loaded query={query}>
      {() =>
        lines.length === 0 ? (
          <EmptyState title="No log lines">
            Lines that handlers log through SLF4J appear here, up to a limit for each attempt.
          </EmptyState>
        ) : (
          <>
            <label className="log-level">
              Level{" "}
              <select value={level} onChange={(event) => setLevel(event.target.value as LogLine["level"])}>
                {levels.map((name) => (
                  <option key={name} value={name}>
                    {name === "trace" ? "all" : `${name} and above`}
                  </option>
                ))}
              </select>
            </label>
            <div className="logs" role="log" aria-label="Log lines" tabIndex={0}>
              {attemptsOf(lines.filter(upFrom(level))).map(({ key, title, lines: part }) => (
                <Fragment key={key}>
                  <p className="log-attempt">{title}</p>
                  {part.map((line) => (
                    <p key={line.id} className={`log log-${line.level}`} title={line.logger}>
                      <AbsoluteTime at={line.at} milliseconds />
                      <span className="log-name">{line.level}</span>
                      <span className="log-text">{line.message}</span>
                    </p>
                  ))}
                </Fragment>
              ))}
            </div>
            {query.hasNextPage && (
              <More reading={query.isFetchingNextPage} words="Load more lines" onMore={() => void query.fetchNextPage()} />
            )}
          </>
        )
      }
    </Loaded>
  );
}
