import type { StartRequest } from "../../api/deeds";

export interface StartForm {
  /** JSON text; empty for none. */
  input: string;
  businessKey: string;
  externalId: string;
  priority: string;
  /** As a field for local date and time gives it; empty for now. */
  at: string;
}

/** What is typed as a request; what is empty is left out. */
export function startRequest(type: string, version: number, form: StartForm): StartRequest {
  const { input, businessKey, externalId, priority, at } = form;
  return {
    type,
    version,
    input: input.trim(),
    ...(businessKey.trim() ? { businessKey: businessKey.trim() } : {}),
    ...(externalId.trim() ? { externalId: externalId.trim() } : {}),
    ...(priority ? { priority: Number(priority) } : {}),
    ...(at ? { at: new Date(at).toISOString() } : {}),
  };
}
