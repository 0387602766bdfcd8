import type { Approvals } from '../approvals/approvals.ts';
import type { Items } from '../items/items.ts';
import type { CoreServices } from './coreServices.ts';
import { person, type Perform } from '../base/request.ts';
import { problemView } from '../base/problem.ts';

/** What goes on by itself: taking up what was on its way, expiring questions, settling what is unconfirmed. */
export type Upkeep = {
  /**
   * After a start and after connecting. What needs the network goes on behind the windows, which are there at once. After
   * a start it is spread, as all companions may have started together; a person who connects does so alone.
   */
  resume: (atStart: boolean) => void;
  /** The machine is awake, the network back, or the clock set: what waits is tried now, what is due is settled. */
  wake: () => void;
  /** A window asks for something, so somebody looks: the standing is read now, where that was to come later. */
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

/** Reads the route list until it is there, by one reader. */
const routesReader = (context: UpkeepContext): (() => Promise<void>) => {
  const { pacing, live, signal } = context;
  return onceAtATime(() =>
    pacing
      .persist(
        () => live.refresh({ signal, unattended: 'look' }),
        noted(context, 'the live route list is not there yet'),
      )
      .catch(noted(context, 'the live route list could not be read')),
  );
};

type StandingReader = {
  /** Reads the standing until it is there, by one reader. */
  read: () => Promise<void>;
  /** Reads it after a start: now where somebody looks, else some time later. */
  atStart: () => void;
  /** Somebody waits for it. */
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
        noted(context, 'the standing is not there yet'),
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
  // Nobody touches a listing of which nobody knows what became of it, from the first moment on.
  approvals.lockUnsettled();
  // Few have something under way at a start, and theirs is looked up at once; the others' questions are read again later.
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
  // Whoever waits with nothing under way sees it end, too.
  if (offline() !== null) void readRoutes();
  if (!pacing.service.isDown()) await approvals.settle().catch(noted(context, 'unsettled approvals stay so'));
};

const run = async (context: UpkeepContext, readRoutes: () => Promise<void>): Promise<void> => {
  const { signal, gate, pacing } = context;
  while (!signal.aborted) {
    await gate.rest(pacing.draw('upkeep'), signal);
    if (signal.aborted || !isConnected(context)) continue;
    await look(context, readRoutes).catch(noted(context, 'the upkeep stands still'));
  }
};

/** Work that is under way is not begun again. */
const onceAtATime = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | null = null;
  return () => (running ??= work().finally(() => (running = null)));
};
