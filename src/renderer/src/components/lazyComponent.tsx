import { useEffect, useState, type ComponentType, type ReactNode } from 'react';

const loads: (() => Promise<unknown>)[] = [];

/**
 * A component that is loaded when it is first drawn, or before by its `load`; until then `meanwhile` keeps its place.
 * React's own `lazy` would hold it back for 300 ms, however quickly it came.
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
  // What cannot be loaded says so where it is drawn.
  requestIdleCallback(
    () =>
      void next()
        .catch(() => undefined)
        .then(() => oneByOne(others)),
  );
};

/**
 * Loads what nobody has looked at yet, one after the other whenever the window rests: it is there at once when it is wanted.
 * What these in turn draw late, as a chart, waits for its time.
 */
export const preloadComponents = (): void => oneByOne([...loads]);
