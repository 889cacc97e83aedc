import { Button } from "../../components/Button";

/** Reads the next page of something long. */
export function More({
  query,
  what,
}: {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  what: string;
}) {
  if (!query.hasNextPage) return null;
  return (
    <footer className="more">
      <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {query.isFetchingNextPage ? "Reading…" : `Read more ${what}`}
      </Button>
    </footer>
  );
}
