import { useEffect, useState, type ComponentType, type ReactNode } from 'react';

const loads: (() => Promise<unknown>)[] = [];

/**
 * Returns a component that is loaded on first render, or earlier by its `load`; until then `placeholder` is shown.
 * React's own `lazy` would delay it by 300 ms even if it loads at once.
 */
export const lazyComponent = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  meanwhile: ReactNode = null,
): ComponentType<P> & { load: () => Promise<unknown> } => {
  let loaded: ComponentType<P> | null = null;
  const keep = async (): Promise<ComponentType<P>> => (loaded ??= await load());
  loads.push(keep);
  const Late = (props: P): ReactNode => {
    const [Component, setComponent] = useState(() => loaded);
    const [problem, setProblem] = useState<{ error: unknown } | null>(null);
    const missing = Component === null;
    useEffect(() => {
      if (!missing) return;
      keep().then(
        (found) => setComponent(() => found),
        (error: unknown) => setProblem({ error }),
      );
    }, [missing]);
    if (problem !== null) throw problem.error;
    return Component === null ? meanwhile : <Component {...props} />;
  };
  return Object.assign(Late, { load: keep });
};

const oneByOne = (rest: readonly (() => Promise<unknown>)[]): void => {
  const [next, ...others] = rest;
  if (next === undefined) return;
  // A failed load is reported when the component is rendered.
  requestIdleCallback(
    () =>
      void next()
        .catch(() => undefined)
        .then(() => oneByOne(others)),
  );
};

/**
 * Loads the components that were not rendered yet, one after another while the window is idle. Lazy components inside
 * them, such as charts, are not loaded.
 */
export const preloadComponents = (): void => oneByOne([...loads]);
