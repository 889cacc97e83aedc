import { useState } from "react";
import { forgetKeys } from "../../api/reduce";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Field } from "../../components/Field";
import { countText } from "../../components/number";
import { useToast } from "../../components/Toast";
import { keysFault, linesOf } from "./form";

/** A dialog that makes records count as new. */
export function ForgetDialog({ group, first = "", onClose }: { group: string; first?: string; onClose: () => void }) {
  const toast = useToast();
  const [text, setText] = useState(first);
  const [touched, setTouched] = useState(false);
  const fault = keysFault(text);
  const keys = linesOf(text);
  return (
    <ConfirmDialog
      title={`Forget keys of ${group}`}
      action={(reason) => forgetKeys(group, fault ? ["KEY"] : keys, reason)}
      confirm={keys.length > 1 ? `Forget ${countText(keys.length)}` : "Forget"}
      danger
      ready={!fault}
      onDone={({ forgotten }) => toast(`${countText(forgotten)} of ${countText(keys.length)} forgotten`)}
      onClose={onClose}
    >
      <p>These records count as new when they arrive again, and are processed once more.</p>
      <Field label="Keys" hint="or their tokens, one per line" fault={touched ? fault : null}>
        {(control) => (
          <textarea
            {...control}
            rows={5}
            spellCheck={false}
            value={text}
            onChange={({ target }) => {
              setText(target.value);
              setTouched(true);
            }}
          />
        )}
      </Field>
    </ConfirmDialog>
  );
}
