import type { Role } from "../../api/schema";

const meanings: Record<Role, string> = {
  viewer: "sees everything but settings",
  operator: "also starts, retries, cancels and edits",
  admin: "also drains executors and manages users, keys and settings",
};

export function RoleField({ role, onChange }: { role: Role; onChange: (role: Role) => void }) {
  return (
    <label className="field">
      <span>
        Role <span className="faint">{meanings[role]}</span>
      </span>
      <select value={role} onChange={(event) => onChange(event.target.value as Role)}>
        {(Object.keys(meanings) as Role[]).map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  );
}
