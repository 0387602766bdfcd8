const maxReloads = 3;
const withinMs = 60_000;

/** Answers whether a page that is gone may be loaded once more: three times within a minute, then no more. */
export const createReloadLimit = (now: () => number): (() => boolean) => {
  let times: number[] = [];
  return () => {
    times = times.filter((at) => now() - at < withinMs);
    if (times.length >= maxReloads) return false;
    times.push(now());
    return true;
  };
};
