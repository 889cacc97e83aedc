import { jsonFault } from "./json";

export interface SignalText {
  name: string;
  payload: string;
}

export const noSignal: SignalText = { name: "", payload: "" };

/** Returns the payload to send; empty while it is not JSON. */
export function payloadOf(signal: SignalText): string {
  return payloadFault(signal) ? "" : signal.payload.trim();
}

function payloadFault({ payload }: SignalText): string | null {
  return payload.trim() ? jsonFault(payload) : null;
}

export function isComplete(signal: SignalText): boolean {
  return signal.name.trim() !== "" && !payloadFault(signal);
}

/** Fields for the name and the payload of a signal. */
export function SignalFields({ signal, onChange }: { signal: SignalText; onChange: (signal: SignalText) => void }) {
  const fault = payloadFault(signal);
  return (
    <>
      <label className="field">
        <span>Name</span>
        <input
          value={signal.name}
          maxLength={100}
          onChange={(event) => onChange({ ...signal, name: event.target.value })}
        />
      </label>
      <label className="field">
        <span>
          Payload <span className="faint">JSON, optional</span>
        </span>
        <textarea
          value={signal.payload}
          placeholder="{}"
          spellCheck={false}
          aria-invalid={Boolean(fault)}
          onChange={(event) => onChange({ ...signal, payload: event.target.value })}
        />
        {fault && <span className="field-fault">{fault}</span>}
      </label>
    </>
  );
}
