import { ChevronLeft, ChevronRight } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Button } from "./Button";

export interface Paging {
  /** Cursor of the page to read; undefined for the first page. */
  cursor: string | undefined;
  /** Number of pages before this one. */
  page: number;
  next: (cursor: string) => void;
  back: () => void;
}

/** Returns the paging of a list. Another identity starts at the first page. */
export function usePaging(identity: string): Paging {
  const [paging, setPaging] = useState<{ identity: string; cursors: string[] }>({ identity, cursors: [] });
  const cursors = paging.identity === identity ? paging.cursors : [];
  return {
    cursor: cursors.at(-1),
    page: cursors.length,
    next: (cursor) => setPaging({ identity, cursors: [...cursors, cursor] }),
    back: () => setPaging({ identity, cursors: cursors.slice(0, -1) }),
  };
}

interface FootProps {
  paging: Paging;
  next: string | null;
  /** Labels of the buttons for the page before and the page after. */
  words?: readonly [string, string];
  children: ReactNode;
}

/** The foot of a paged list, with buttons for newer and older pages. */
export function PagingFoot({ paging, next, words: [back, on] = ["Newer", "Older"], children }: FootProps) {
  return (
    <footer className="paging">
      {children}
      <Button
        icon={<ChevronLeft size={14} aria-hidden="true" />}
        disabled={paging.page === 0}
        onClick={paging.back}
      >
        {back}
      </Button>
      <Button disabled={!next} onClick={() => next && paging.next(next)}>
        {on} <ChevronRight size={14} aria-hidden="true" />
      </Button>
    </footer>
  );
}
