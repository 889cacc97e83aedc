import { useEffect, useState, type ComponentType } from "react";
import { baseUrl, Unreachable } from "../api/client";
import { Button } from "./Button";
import { ErrorPanel } from "./ErrorPanel";

const retryMilliseconds = 3_000;
const loaders = new Set<() => Promise<unknown>>();

/** An error of a page whose code the server no longer has. */
class Outdated extends Error {}

/** Returns why code could not be loaded: the server is unreachable, or it has a newer version of the pages. */
async function reasonOf(cause: unknown): Promise<Error> {
  try {
    await fetch(new URL("api/v1/health/live", baseUrl()), { cache: "no-store", signal: AbortSignal.timeout(retryMilliseconds) });
  } catch {
    return new Unreachable(cause);
  }
  return new Outdated("Reload the page to continue with the new version.", { cause });
}

const failedStyles = new Set<HTMLLinkElement>();

window.addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === "stylesheet") failedStyles.add(target);
  },
  true,
);

/** Loads style sheets again that failed, since their code does not request them a second time. */
async function reloadStyles(): Promise<void> {
  const failed = [...failedStyles];
  failedStyles.clear();
  await Promise.all(
    failed.map(
      (link) =>
        new Promise((done, fail) => {
          const again = link.cloneNode() as HTMLLinkElement;
          again.onload = done;
          again.onerror = () => fail(new Error(`Unable to load ${link.href}`));
          link.replaceWith(again);
        }),
    ),
  );
}

type PropsOf<C> = C extends (props: infer P extends object) => unknown ? P : object;
type LazyPart<P> = ((props: P) => React.JSX.Element) & { preload: () => Promise<void> };

/**
 * Returns a component whose code is loaded when it is first shown, or earlier by preloadParts. While the server is
 * unreachable the component says so and retries; it never reloads the document, which would replace the page with
 * the browser's error page.
 */
export function lazyPart<M, N extends keyof M>(load: () => Promise<M>, name: N): LazyPart<PropsOf<M[N]>> {
  type P = PropsOf<M[N]>;
  let part: ComponentType<P> | undefined;
  let loading: Promise<void> | undefined;
  const ready = () =>
    (loading ??= reloadStyles().then(load).then(
      (module) => void (part = module[name] as ComponentType<P>),
      (cause: unknown) => {
        loading = undefined;
        throw cause;
      },
    ));
  loaders.add(ready);

  function Part(props: P) {
    const [, loaded] = useState(part !== undefined);
    const [fault, setFault] = useState<Error>();
    const [attempt, setAttempt] = useState(0);
    useEffect(() => {
      if (part) return;
      let shown = true;
      let timer: ReturnType<typeof setTimeout> | undefined;
      ready().then(
        () => shown && loaded(true),
        async (cause: unknown) => {
          const reason = await reasonOf(cause);
          if (!shown) return;
          setFault(reason);
          timer = setTimeout(() => setAttempt((before) => before + 1), retryMilliseconds);
        },
      );
      return () => {
        shown = false;
        clearTimeout(timer);
      };
    }, [attempt]);
    if (part) {
      const Loaded = part;
      return <Loaded {...props} />;
    }
    return fault ? <NotLoaded fault={fault} /> : <div className="loading" />;
  }
  return Object.assign(Part, { preload: () => ready().catch(() => undefined) });
}

function NotLoaded({ fault }: { fault: Error }) {
  if (!(fault instanceof Outdated)) return <ErrorPanel error={fault} />;
  return (
    <div className="error-panel" role="alert">
      <div>
        <strong>The server has a newer version of this page</strong>
        <p>{fault.message}</p>
        <Button onClick={() => window.location.reload()}>Reload</Button>
      </div>
    </div>
  );
}

/** Returns a lazy part for a page, which has no properties. */
export function lazyPage<M>(load: () => Promise<M>, name: keyof M): LazyPart<object> {
  return lazyPart(load, name) as LazyPart<object>;
}

/** Loads the code of all parts, one after another, so that each opens immediately and without the server. */
export async function preloadParts(): Promise<void> {
  for (const ready of loaders) {
    await ready().catch(() => undefined); // retried when the part is shown
  }
}
