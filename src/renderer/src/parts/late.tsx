import { useEffect, useState, type ComponentType, type ReactNode } from 'react';

/**
 * A component that is loaded when it is first drawn; until then `meanwhile` keeps its place. React's own `lazy` would hold
 * it back for 300 ms, however quickly it came.
 */
export const late = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  meanwhile: ReactNode = null,
): ComponentType<P> => {
  let loaded: ComponentType<P> | null = null;
  const keep = (found: ComponentType<P>): ComponentType<P> => (loaded = found);
  return function Late(props: P) {
    const [Component, setComponent] = useState(() => loaded);
    const [problem, setProblem] = useState<{ error: unknown } | null>(null);
    const missing = Component === null;
    useEffect(() => {
      if (!missing) return;
      load()
        .then(keep)
        .then(
          (found) => setComponent(() => found),
          (error: unknown) => setProblem({ error }),
        );
    }, [missing]);
    if (problem !== null) throw problem.error;
    return Component === null ? meanwhile : <Component {...props} />;
  };
};
