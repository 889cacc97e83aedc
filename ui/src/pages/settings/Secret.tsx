import { Button } from "../../components/Button";
import { CopyButton } from "../../components/CopyButton";
import { Dialog } from "../../components/Dialog";

/** Shows a secret the only time it can be seen. */
export function Secret({ title, secret, onClose }: { title: string; secret: string; onClose: () => void }) {
  return (
    <Dialog title={title} onClose={onClose} stays>
      <p>Copy it now. It is not kept in a readable form and is not shown again.</p>
      <div className="code-line">
        <code tabIndex={0}>{secret}</code>
        <CopyButton text={secret} label="Copy the secret" />
      </div>
      <footer className="dialog-foot">
        <Button look="primary" onClick={onClose}>
          I have copied it
        </Button>
      </footer>
    </Dialog>
  );
}
