import { ChevronLeft, ChevronRight } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Button } from "./Button";

export interface Paging {
  /** What the server is asked with; undefined for the first page. */
  cursor: string | undefined;
  /** How many pages lie before this one. */
  page: number;
  next: (cursor: string) => void;
  back: () => void;
}

/** Pages are found by the cursors of the pages before them; another identity starts over. */
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
  /** What the ways back and on are called. */
  words?: readonly [string, string];
  children: ReactNode;
}

/** What is shown, and the ways to newer and older pages. */
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
