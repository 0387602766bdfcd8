import type { Page } from 'playwright';

/** The shortest duration that browsers report. Without this option they report only keys above 104 ms. */
const shortestKeyMs = 16;

/** In ms. */
export type Longest = { frame: number; key: number };

/** Observes the page. The returned function returns the longest frame and key since its previous call. */
export const watchPage = async (page: Page): Promise<() => Promise<Longest>> => {
  const longest = await page.evaluateHandle((shortestMs) => {
    const found = { frame: 0, key: 0 };
    let last = performance.now();
    const turn = (now: number): void => {
      // Browsers round times to 0.1 ms, so three frames of 60 a second can seem to take 50.1 ms.
      found.frame = Math.max(found.frame, Math.round(now - last));
      last = now;
      requestAnimationFrame(turn);
    };
    requestAnimationFrame(turn);
    // The duration runs from the key press until the next paint.
    const keys: PerformanceObserverInit & { durationThreshold: number } = {
      type: 'event',
      buffered: false,
      durationThreshold: shortestMs,
    };
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries())
        if (name === 'keydown') found.key = Math.max(found.key, duration);
    }).observe(keys);
    return found;
  }, shortestKeyMs);
  return () =>
    longest.evaluate((found) => {
      const { frame, key } = found;
      Object.assign(found, { frame: 0, key: 0 });
      return { frame, key };
    });
};

/** Scrolls the longest scrollable element up and down. Returns the duration of each frame in ms. */
export const scrollPage = (page: Page, scrollMs: number): Promise<number[]> =>
  page.evaluate(
    (ms) =>
      new Promise<number[]>((resolve) => {
        const all = [...document.querySelectorAll<HTMLElement>('main *, main')];
        const long = all.reduce((a, b) => (b.scrollHeight - b.clientHeight > a.scrollHeight - a.clientHeight ? b : a));
        const frames: number[] = [];
        const from = performance.now();
        let last = from;
        const turn = (now: number): void => {
          frames.push(now - last);
          last = now;
          // Scrolls 1.5 window heights a second, and returns to the top at the end.
          long.scrollTop += (frames.length % 600 < 300 ? 1 : -1) * 20;
          if (now - from < ms) requestAnimationFrame(turn);
          else resolve(frames.slice(1));
        };
        requestAnimationFrame(turn);
      }),
    scrollMs,
  );
