import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ChevronsUpDown, KeyRound, LogOut } from "lucide-react";
import { useState } from "react";
import { api } from "../api/client";
import { forget } from "../api/meet";
import { Menu, MenuChoice, MenuHead, MenuItem, MenuLine } from "../components/Menu";
import { PasswordDialog } from "./PasswordDialog";
import { useSession } from "./session";
import { useTheme, type Theme } from "./theme";
import { useZone, zoneName, type Zone } from "./time";

/** The menu of the user: theme, time zone, password and logout. */
export function UserMenu() {
  const { user, role, version } = useSession();
  const { theme, setTheme } = useTheme();
  const [zone, setZone] = useZone();
  const [changing, setChanging] = useState(false);
  const client = useQueryClient();
  const logOut = useMutation({
    mutationFn: () => api("DELETE /session"),
    onSuccess: () => forget(client),
    onSettled: () => client.invalidateQueries({ queryKey: ["session"] }),
  });
  return (
    <>
      <Menu
        label="User and display"
        align="start"
        trigger={
          <button type="button" className="user">
            <span className="user-face" aria-hidden="true">
              {user?.slice(0, 1).toUpperCase()}
            </span>
            <span className="user-name">
              {user}
              <small>{role}</small>
            </span>
            <span className="sr-only">User and display</span>
            <ChevronsUpDown size={14} aria-hidden="true" />
          </button>
        }
      >
        <MenuChoice<Theme>
          label="Theme"
          value={theme}
          onChange={setTheme}
          options={[
            ["system", "System"],
            ["light", "Light"],
            ["dark", "Dark"],
          ]}
        />
        <MenuLine />
        <MenuChoice<Zone>
          label="Times"
          value={zone}
          onChange={setZone}
          options={[
            ["local", `Local (${zoneName("local")})`],
            ["utc", "UTC"],
          ]}
        />
        <MenuLine />
        {/* A user of an identity provider has no password here; the name of a local user has no colon. */}
        {!user?.includes(":") && (
          <MenuItem onSelect={() => setChanging(true)}>
            <KeyRound size={14} aria-hidden="true" /> Change password
          </MenuItem>
        )}
        <MenuItem onSelect={() => logOut.mutate()}>
          <LogOut size={14} aria-hidden="true" /> Log out
        </MenuItem>
        <MenuHead>Millrace {version}</MenuHead>
      </Menu>
      {changing && <PasswordDialog onClose={() => setChanging(false)} />}
    </>
  );
}
