import type { Approvals } from '../approvals/approvals.ts';
import type { Items } from '../items/items.ts';
import type { CoreServices } from './coreServices.ts';
import { person, type Perform } from '../base/request.ts';
import { problemView } from '../base/problem.ts';

/** Periodic background work: resuming, expiring approvals, settling unconfirmed acts. */
export type Upkeep = {
  /**
   * Resumes background work after a start or a new connection. Network reads do not block the windows. After a start
   * they are spread over time, as many companions may have started together.
   */
  resume: (atStart: boolean) => void;
  /** Retries waiting work and settles due acts after sleep, a network outage or a clock change. */
  wake: () => void;
  /** Notes that a window is in use: a delayed read of the standing is made now. */
  seen: () => void;
  start: () => void;
  stop: () => void;
};

type UpkeepContext = Pick<CoreServices, 'gate' | 'connection' | 'live' | 'log' | 'changed' | 'offline' | 'pacing'> & {
  approvals: Approvals;
  items: Items;
  perform: Perform;
  signal: AbortSignal;
};

export const createUpkeep = (parts: CoreServices, approvals: Approvals, items: Items, perform: Perform): Upkeep => {
  const ended = new AbortController();
  const context: UpkeepContext = { ...parts, approvals, items, perform, signal: ended.signal };
  const readRoutes = routesReader(context);
  const standing = standingReader(context);
  return {
    resume: (atStart) => {
      if (isConnected(context)) resume(context, atStart, readRoutes, standing);
    },
    wake: () => {
      parts.gate.nudge();
      parts.pacing.hurry();
      if (!isConnected(context)) return;
      void readRoutes();
      void standing.read();
    },
    seen: standing.seen,
    start: () => void run(context, readRoutes),
    stop: () => ended.abort(),
  };
};

const noted =
  ({ signal, log }: UpkeepContext, what: string) =>
  (error: unknown): void => {
    if (!signal.aborted) log('warn', what, { code: problemView(error).code });
  };

const isConnected = ({ connection }: UpkeepContext): boolean => connection.state() === 'connected';

/** Creates the reader of the route list. It retries until it succeeds; one read at a time. */
const routesReader = (context: UpkeepContext): (() => Promise<void>) => {
  const { pacing, live, signal } = context;
  return onceAtATime(() =>
    pacing
      .persist(
        () => live.refresh({ signal, unattended: 'look' }),
        noted(context, 'the live route list could not be read yet'),
      )
      .catch(noted(context, 'the live route list could not be read')),
  );
};

type StandingReader = {
  /** Reads the standing with retries; one read at a time. */
  read: () => Promise<void>;
  /** Reads it after a start: now if a window is in use, otherwise after a delay. */
  atStart: () => void;
  /** Reads it at once, without retries. */
  show: () => void;
  seen: () => void;
};

const standingReader = (context: UpkeepContext): StandingReader => {
  const { pacing, perform, signal } = context;
  let isShown = false;
  let standingNow: (() => void) | null = null;
  const read = onceAtATime(() =>
    pacing
      .persist(
        async () => void (await perform({ by: person, route: 'readStanding', input: {}, signal, unattended: true })),
        noted(context, 'the standing could not be read yet'),
      )
      .catch(noted(context, 'the standing could not be read')),
  );
  const show = (): void =>
    void perform({ by: person, route: 'readStanding', input: {} }).catch(
      noted(context, 'the standing could not be read'),
    );
  return {
    read,
    show,
    atStart: () => {
      if (isShown) return show();
      const asked = { byWindow: false };
      const due = (): unknown => isConnected(context) && (asked.byWindow ? show() : void read());
      const readNow = pacing.later(pacing.draw('startStanding'), due, signal);
      standingNow = () => {
        asked.byWindow = true;
        readNow();
      };
    },
    seen: () => {
      isShown = true;
      standingNow?.();
      standingNow = null;
    },
  };
};

const resume = (
  context: UpkeepContext,
  atStart: boolean,
  readRoutes: () => Promise<void>,
  standing: StandingReader,
): void => {
  const { pacing, items, live, approvals, changed, signal } = context;
  if (atStart) pacing.start();
  items.reconnected();
  items.start();
  for (const topic of ['app', 'items', 'approvals', 'setup', 'account', 'notifications'] as const) changed(topic);
  const ms = (wait: Parameters<typeof pacing.draw>[0]): number => (atStart ? pacing.draw(wait) : 0);
  live.readBeforeWrites(pacing.later(ms('startRoutes'), () => isConnected(context) && void readRoutes(), signal));
  if (atStart) standing.atStart();
  else standing.show();
  // Lock listings with an unknown outcome before any other work starts.
  approvals.lockUnsettled();
  // Unsettled acts are checked at once; the rest is spread over time.
  pacing.later(
    approvals.unsettled().length > 0 ? 0 : ms('start'),
    () =>
      isConnected(context) && void approvals.recover().catch(noted(context, 'the approvals could not be recovered')),
    signal,
  );
};

const look = async (context: UpkeepContext, readRoutes: () => Promise<void>): Promise<void> => {
  const { approvals, offline, pacing } = context;
  approvals.expireDue();
  // This read also detects the end of an outage when no other request is in flight.
  if (offline() !== null) void readRoutes();
  if (!pacing.service.isDown())
    await approvals.settle().catch(noted(context, 'unsettled approvals could not be settled'));
};

const run = async (context: UpkeepContext, readRoutes: () => Promise<void>): Promise<void> => {
  const { signal, gate, pacing } = context;
  while (!signal.aborted) {
    await gate.rest(pacing.draw('upkeep'), signal);
    if (signal.aborted || !isConnected(context)) continue;
    await look(context, readRoutes).catch(noted(context, 'an upkeep round failed'));
  }
};

/** Returns a function that joins running work instead of starting it again. */
const onceAtATime = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | null = null;
  return () => (running ??= work().finally(() => (running = null)));
};
