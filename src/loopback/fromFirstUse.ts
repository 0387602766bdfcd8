import type { Serve } from './http.ts';

/** Serves requests by what is loaded with the first of them: a start does without its code. */
export const fromFirstUse = (load: () => Promise<Serve>): ((...request: Parameters<Serve>) => Promise<void>) => {
  let loading: Promise<Serve> | undefined;
  return async (request, response) => {
    loading ??= load();
    const serve = await loading;
    serve(request, response);
  };
};
