import { useEffect, type ReactNode } from "react";
import { useZone, zoneName } from "../app/time";

/** A page: its title, one sentence that says what it shows, its actions, and the content. */
export function Page({
  title,
  subtitle,
  zone,
  heading,
  actions,
  children,
}: {
  title: string;
  subtitle: string;
  /** Zone of the times on the page; the viewer's zone if left out. */
  zone?: string;
  heading?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const [viewers] = useZone();
  useEffect(() => {
    document.title = `${title} · Millrace`;
  }, [title]);
  return (
    <>
      <header className="page-head">
        <div className="page-name">
          <h1>{heading ?? title}</h1>
          <p>
            {subtitle} <span className="page-zone">Times in {zone ?? zoneName(viewers)}.</span>
          </p>
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      <div className="page-body">{children}</div>
    </>
  );
}

/** A titled box on a page. */
export function Panel({
  title,
  actions,
  children,
  className = "",
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <section className={`panel ${className}`} aria-label={title}>
      <header className="panel-head">
        <h2>{title}</h2>
        {actions && <div className="panel-actions">{actions}</div>}
      </header>
      <div className="panel-body">{children}</div>
    </section>
  );
}
