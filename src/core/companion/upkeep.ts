import type { Approvals } from '../approvals/approvals.ts';
import type { Items } from '../items/items.ts';
import type { Foundation } from './foundation.ts';
import type { Perform } from '../base/request.ts';
import { problemView } from '../base/problem.ts';
import type { Asker } from '../base/asker.ts';

const person: Asker = { kind: 'person' };

export type Upkeep = ReturnType<typeof createUpkeep>;

/** What goes on by itself: taking up what was on its way, expiring questions, settling what is unconfirmed. */
export const createUpkeep = (parts: Foundation, approvals: Approvals, items: Items, perform: Perform) => {
  const { gate, connection, live, log, changed, offline, pacing } = parts;
  const ended = new AbortController();
  const { signal } = ended;
  const noted = (what: string) => (error: unknown) => {
    if (!signal.aborted) log('warn', what, { code: problemView(error).code });
  };
  const isConnected = (): boolean => connection.state() === 'connected';

  /** Both are read until they are there, by one reader each. */
  const readRoutes = onceAtATime(() =>
    pacing
      .persist(() => live.refresh({ signal, unattended: 'look' }), noted('the live route list is not there yet'))
      .catch(noted('the live route list could not be read')),
  );
  const readStanding = onceAtATime(() =>
    pacing
      .persist(
        async () => void (await perform({ by: person, route: 'readStanding', input: {}, signal, unattended: true })),
        noted('the standing is not there yet'),
      )
      .catch(noted('the standing could not be read')),
  );
  /** Somebody waits for this one. */
  const showStanding = (): void =>
    void perform({ by: person, route: 'readStanding', input: {} }).catch(noted('the standing could not be read'));
  let isShown = false;
  let standingNow: (() => void) | null = null;

  /**
   * After a start and after connecting. What needs the network goes on behind the windows, which are there at once. After
   * a start it is spread, as all companions may have started together; a person who connects does so alone.
   */
  const takeUp = (atStart: boolean): void => {
    if (!isConnected()) return;
    if (atStart) pacing.start();
    items.reconnected();
    items.start();
    for (const topic of ['app', 'items', 'approvals', 'setup', 'account', 'notifications'] as const) changed(topic);
    const ms = (wait: Parameters<typeof pacing.draw>[0]): number => (atStart ? pacing.draw(wait) : 0);
    live.readBeforeWrites(pacing.later(ms('startRoutes'), () => isConnected() && void readRoutes(), signal));
    if (isShown || !atStart) showStanding();
    else {
      const asked = { byWindow: false };
      const read = pacing.later(
        ms('startStanding'),
        () => isConnected() && (asked.byWindow ? showStanding() : void readStanding()),
        signal,
      );
      standingNow = () => {
        asked.byWindow = true;
        read();
      };
    }
    // Nobody touches a listing of which nobody knows what became of it, from the first moment on.
    approvals.lockUnsettled();
    // Few have something under way at a start, and theirs is looked up at once; the others' questions are read again later.
    pacing.later(
      approvals.unsettled().length > 0 ? 0 : ms('start'),
      () => isConnected() && void approvals.recover().catch(noted('the approvals could not be recovered')),
      signal,
    );
  };

  const look = async (): Promise<void> => {
    approvals.expireDue();
    // Whoever waits with nothing under way sees it end, too.
    if (offline() !== null) void readRoutes();
    if (!pacing.service.isDown()) await approvals.settle().catch(noted('unsettled approvals stay so'));
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await gate.rest(pacing.draw('upkeep'), signal);
      if (signal.aborted || !isConnected()) continue;
      await look().catch(noted('the upkeep stands still'));
    }
  };

  /** The machine is awake, the network back, or the clock set: what waits is tried now, what is due is settled. */
  const wake = (): void => {
    gate.nudge();
    pacing.hurry();
    if (!isConnected()) return;
    void readRoutes();
    void readStanding();
  };

  /** A window asks for something, so somebody looks: the standing is read now, where that was to come later. */
  const seen = (): void => {
    isShown = true;
    standingNow?.();
    standingNow = null;
  };

  return { takeUp, wake, seen, start: () => void run(), stop: () => ended.abort() };
};

/** Work that is under way is not begun again. */
const onceAtATime = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | null = null;
  return () => (running ??= work().finally(() => (running = null)));
};
