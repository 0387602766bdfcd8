import type { Page } from 'playwright';
import * as z from 'zod';

/** In ms. A key takes from its event until the frame that shows its effect is painted. */
export type Longest = { frame: number; key: number };

/** Observes the page. The returned function returns the longest frame and key since its previous call. */
export const watchPage = async (page: Page): Promise<() => Promise<Longest>> => {
  const longest = await page.evaluateHandle(() => {
    const found = { frame: 0, key: 0 };
    let last = performance.now();
    const turn = (now: number): void => {
      // Browsers round times to 0.1 ms, so three frames of 60 a second can seem to take 50.1 ms.
      found.frame = Math.max(found.frame, Math.round(now - last));
      last = now;
      requestAnimationFrame(turn);
    };
    requestAnimationFrame(turn);
    const noteKey = ({ timeStamp }: KeyboardEvent): void =>
      void requestAnimationFrame(() => {
        // A message that is sent in a frame arrives after that frame is painted.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          found.key = Math.max(found.key, Math.round(performance.now() - timeStamp));
          port1.close();
        };
        port2.postMessage(null);
      });
    addEventListener('keydown', noteKey, { capture: true });
    return found;
  });
  return () =>
    longest.evaluate((found) => {
      const { frame, key } = found;
      Object.assign(found, { frame: 0, key: 0 });
      return { frame, key };
    });
};

const traceCategories = [
  'devtools',
  'devtools.timeline.frame',
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-devtools.timeline.frame',
];

/** Times are in microseconds. `tdur` is the processor time of the thread, without the time for which it waited. */
const traceEvent = z.looseObject({
  name: z.string(),
  pid: z.number(),
  tid: z.number(),
  ts: z.number(),
  dur: z.number().default(0),
  tdur: z.number().default(0),
  args: z.object({
    name: z.string().optional(),
    data: z.object({ frames: z.array(z.object({ url: z.string(), processId: z.number() })).optional() }).optional(),
  }),
});
type TraceEvent = z.infer<typeof traceEvent>;

const listMainThreadEvents = (events: readonly TraceEvent[], url: string): TraceEvent[] => {
  const frames = events.flatMap(({ args }) => args.data?.frames ?? []);
  const pid = frames.find((frame) => frame.url.split('#')[0] === url.split('#')[0])?.processId;
  const main = events.find((event) => event.pid === pid && event.args.name === 'CrRendererMain');
  if (!main) throw new Error('The trace does not contain the main thread of the page.');
  return events.filter((event) => event.pid === pid && event.tid === main.tid).toSorted((a, b) => a.ts - b.ts);
};

/** Returns the events with this name. A nested event is part of the outer one. */
const listOuterEvents = (events: readonly TraceEvent[], name: string): TraceEvent[] => {
  let until = 0;
  return events.filter((event) => {
    if (event.name !== name || event.ts < until) return false;
    until = event.ts + event.dur;
    return true;
  });
};

/**
 * A frame contains the tasks since the previous frame and the task that renders it. The commands of the devtools
 * protocol are left out: through them this measurement drives the page, and the stand-in for Electron copies answers into
 * it, which takes up to 100 ms for an answer of 30,000 values.
 */
const findLongestWork = (events: readonly TraceEvent[]): number => {
  const starts = events.flatMap(({ name, ts }) => (name === 'BeginMainThreadFrame' ? [ts] : []));
  const commands = listOuterEvents(events, 'DevToolsSession::DispatchProtocolCommand').values();
  let command = commands.next().value;
  let [longest, ofFrame, at] = [0, 0, 0];
  for (const { ts, dur, tdur } of listOuterEvents(events, 'RunTask')) {
    const until = ts + dur;
    ofFrame += tdur;
    for (; command && command.ts < until; command = commands.next().value) ofFrame -= command.tdur;
    longest = Math.max(longest, ofFrame);
    if ((starts[at] ?? Infinity) > until) continue;
    while ((starts[at] ?? Infinity) <= until) at += 1;
    ofFrame = 0;
  }
  return longest / 1_000;
};

/**
 * Traces the page. The returned function ends the trace and returns the longest work of one frame, in ms: the processor
 * time that the page's scripts and its rendering needed in the main thread. Other programs change it less than the time of the frame.
 */
export const traceWork = async (page: Page): Promise<() => Promise<number>> => {
  const session = await page.context().newCDPSession(page);
  const events: unknown[] = [];
  session.on('Tracing.dataCollected', ({ value }) => void events.push(...value));
  await session.send('Tracing.start', {
    traceConfig: { includedCategories: traceCategories },
    transferMode: 'ReportEvents',
  });
  return async () => {
    const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
    await session.send('Tracing.end');
    await complete;
    await session.detach();
    return findLongestWork(listMainThreadEvents(z.array(traceEvent).parse(events), page.url()));
  };
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
