import { Button } from "../../components/Button";

/** Reads the next part of something long. */
export function More({ reading = false, words, onMore }: { reading?: boolean; words: string; onMore: () => void }) {
  return (
    <footer className="more">
      <Button disabled={reading} onClick={onMore}>
        {reading ? "Reading…" : words}
      </Button>
    </footer>
  );
}
