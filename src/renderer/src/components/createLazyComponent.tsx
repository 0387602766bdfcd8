import { useEffect, useState, type ComponentType, type ReactNode } from 'react';

const loads: (() => Promise<unknown>)[] = [];

/** React's `lazy` would show the component 300 ms after it is loaded. */
export const createLazyComponent = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  placeholder: ReactNode = null,
): ComponentType<P> & { load: () => Promise<unknown> } => {
  let loaded: ComponentType<P> | null = null;
  const loadComponentOnce = async (): Promise<ComponentType<P>> => (loaded ??= await load());
  loads.push(loadComponentOnce);
  const LateComponent = (props: P): ReactNode => {
    const [Component, setComponent] = useState(() => loaded);
    const [problem, setProblem] = useState<{ error: unknown } | null>(null);
    const missing = Component === null;
    useEffect(() => {
      if (!missing) return;
      loadComponentOnce().then(
        (found) => setComponent(() => found),
        (error: unknown) => setProblem({ error }),
      );
    }, [missing]);
    if (problem !== null) throw problem.error;
    return Component === null ? placeholder : <Component {...props} />;
  };
  return Object.assign(LateComponent, { load: loadComponentOnce });
};

const loadComponentsOneByOne = (rest: readonly (() => Promise<unknown>)[]): void => {
  const [next, ...others] = rest;
  if (next === undefined) return;
  // If a load fails, the component reports the error when it is rendered.
  requestIdleCallback(
    () =>
      void next()
        .catch(() => undefined)
        .then(() => loadComponentsOneByOne(others)),
  );
};

/** Does not load lazy components that are declared in the code of another lazy component. */
export const preloadComponents = (): void => loadComponentsOneByOne([...loads]);
