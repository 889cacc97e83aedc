import type { ButtonHTMLAttributes, ReactNode } from "react";

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  look?: "plain" | "primary" | "danger" | "quiet";
  icon?: ReactNode;
};

export function Button({ look = "plain", icon, children, className = "", type = "button", ...rest }: Props) {
  return (
    <button type={type} className={`button button-${look} ${children ? "" : "button-icon"} ${className}`} {...rest}>
      {icon}
      {children}
    </button>
  );
}
