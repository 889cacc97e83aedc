import { Button } from "../../components/Button";

/** A button that loads the next part of a long list. */
export function More({ reading = false, words, onMore }: { reading?: boolean; words: string; onMore: () => void }) {
  return (
    <footer className="more">
      <Button disabled={reading} onClick={onMore}>
        {reading ? "Loading…" : words}
      </Button>
    </footer>
  );
}
