import { Button } from "../../components/Button";
import { CopyButton } from "../../components/CopyButton";
import { Dialog } from "../../components/Dialog";

/** A dialog that shows a secret, once. */
export function Secret({ title, secret, onClose }: { title: string; secret: string; onClose: () => void }) {
  return (
    <Dialog title={title} onClose={onClose} stays>
      <p>Copy the secret now. It is stored only as a hash and cannot be shown again.</p>
      <div className="code-line">
        <code tabIndex={0}>{secret}</code>
        <CopyButton text={secret} label="Copy the secret" />
      </div>
      <footer className="dialog-foot">
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </footer>
    </Dialog>
  );
}
