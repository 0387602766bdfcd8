import type { ApprovalEngine } from '../approvals/approvals.ts';
import type { Items } from '../items/items.ts';
import type { CoreServices } from './coreServices.ts';
import { person, type Perform } from '../base/request.ts';
import { toProblemView } from '../base/problem.ts';

export type Maintenance = {
  /**
   * Resumes background work. If `atStart` is true, the requests are spread over time, because many companions might
   * start at once.
   */
  resume: (atStart: boolean) => void;
  /** Retries pending work after the machine wakes, the network returns or the clock changes. */
  wake: () => void;
  /** Called when a window is in use. If the read of the standing was delayed, it runs now. */
  seen: () => void;
  start: () => void;
  stop: () => void;
};

type UpkeepContext = Pick<CoreServices, 'gate' | 'connection' | 'live' | 'log' | 'changed' | 'offline' | 'pacing'> & {
  approvals: ApprovalEngine;
  items: Items;
  perform: Perform;
  signal: AbortSignal;
};

export const createMaintenance = (
  parts: CoreServices,
  approvals: ApprovalEngine,
  items: Items,
  perform: Perform,
): Maintenance => {
  const ended = new AbortController();
  const context: UpkeepContext = { ...parts, approvals, items, perform, signal: ended.signal };
  const readRoutes = createRoutesReader(context);
  const standing = createStandingReader(context);
  return {
    resume: (atStart) => {
      if (isServiceConnected(context)) resumeConnectedWork(context, atStart, readRoutes, standing);
    },
    wake: () => {
      parts.gate.nudge();
      parts.pacing.hurry();
      if (!isServiceConnected(context)) return;
      void readRoutes();
      void standing.read();
    },
    seen: standing.seen,
    start: () => void runMaintenanceLoop(context, readRoutes),
    stop: () => ended.abort(),
  };
};

const createFailureLogger =
  ({ signal, log }: UpkeepContext, what: string) =>
  (error: unknown): void => {
    if (!signal.aborted) log('warn', what, { code: toProblemView(error).code });
  };

const isServiceConnected = ({ connection }: UpkeepContext): boolean => connection.state() === 'connected';

const createRoutesReader = (context: UpkeepContext): (() => Promise<void>) => {
  const { pacing, live, signal } = context;
  return createSharedRunner(() =>
    pacing
      .retryWhileDown(
        () => live.refresh({ signal, unattended: 'look' }),
        createFailureLogger(context, 'the live route list could not be read yet'),
      )
      .catch(createFailureLogger(context, 'the live route list could not be read')),
  );
};

type StandingReader = {
  read: () => Promise<void>;
  /** Reads the standing now if a window is in use, otherwise after a delay. */
  atStart: () => void;
  show: () => void;
  seen: () => void;
};

const createStandingReader = (context: UpkeepContext): StandingReader => {
  const { pacing, perform, signal } = context;
  let isShown = false;
  let standingNow: (() => void) | null = null;
  const read = createSharedRunner(() =>
    pacing
      .retryWhileDown(
        async () => void (await perform({ by: person, route: 'readStanding', input: {}, signal, unattended: true })),
        createFailureLogger(context, 'the standing could not be read yet'),
      )
      .catch(createFailureLogger(context, 'the standing could not be read')),
  );
  const show = (): void =>
    void perform({ by: person, route: 'readStanding', input: {} }).catch(
      createFailureLogger(context, 'the standing could not be read'),
    );
  return {
    read,
    show,
    atStart: () => {
      if (isShown) return show();
      const asked = { byWindow: false };
      const readWhenDue = (): unknown => isServiceConnected(context) && (asked.byWindow ? show() : void read());
      const readNow = pacing.runLater(pacing.getRandomDelayMs('startStanding'), readWhenDue, signal);
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

const resumeConnectedWork = (
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
  const getRandomStartDelayMs = (wait: Parameters<typeof pacing.getRandomDelayMs>[0]): number =>
    atStart ? pacing.getRandomDelayMs(wait) : 0;
  live.readBeforeWrites(
    pacing.runLater(
      getRandomStartDelayMs('startRoutes'),
      () => isServiceConnected(context) && void readRoutes(),
      signal,
    ),
  );
  if (atStart) standing.atStart();
  else standing.show();
  // A listing with an unknown outcome must be locked before other work starts.
  approvals.lockUnsettled();
  // If an outcome is unknown, the check runs now. Otherwise the check is delayed, so that many companions do not send
  // requests at once.
  pacing.runLater(
    approvals.listUnsettled().length > 0 ? 0 : getRandomStartDelayMs('start'),
    () =>
      isServiceConnected(context) &&
      void approvals.recoverAfterStart().catch(createFailureLogger(context, 'the approvals could not be recovered')),
    signal,
  );
};

const runMaintenanceRound = async (context: UpkeepContext, readRoutes: () => Promise<void>): Promise<void> => {
  const { approvals, offline, pacing } = context;
  approvals.expireDue();
  // This request also detects the end of an outage.
  if (offline() !== null) void readRoutes();
  if (!pacing.service.isDown())
    await approvals.settleUnconfirmed().catch(createFailureLogger(context, 'unsettled approvals could not be settled'));
};

const runMaintenanceLoop = async (context: UpkeepContext, readRoutes: () => Promise<void>): Promise<void> => {
  const { signal, gate, pacing } = context;
  while (!signal.aborted) {
    await gate.sleepUntilNudge(pacing.getRandomDelayMs('upkeep'), signal);
    if (signal.aborted || !isServiceConnected(context)) continue;
    await runMaintenanceRound(context, readRoutes).catch(createFailureLogger(context, 'an upkeep round failed'));
  }
};

/**
 * Returns a function that starts the work. While the work is running, the function returns the running promise instead.
 */
const createSharedRunner = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | null = null;
  return () => (running ??= work().finally(() => (running = null)));
};
