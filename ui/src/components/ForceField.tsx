/** A box to tick so that a move goes beyond what a definition permits. */
export function ForceField({
  what,
  force,
  onChange,
}: {
  /** The definition or definitions, with an article. */
  what: string;
  force: boolean;
  onChange: (force: boolean) => void;
}) {
  return (
    <label className="check-label">
      <input type="checkbox" checked={force} onChange={({ target }) => onChange(target.checked)} />
      Force: even if {what} does not permit it, or children are running
    </label>
  );
}
