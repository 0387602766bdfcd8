import type { Asker } from './approvals/approval.ts';
import type { Approvals } from './approvals/engine.ts';
import type { Items } from './items/items.ts';
import type { CoreParts } from './openParts.ts';
import type { Perform } from './perform.ts';
import { problemView } from './problem.ts';

const everyMs = 30_000;
const person: Asker = { kind: 'person' };

/** What goes on by itself: taking up what was on its way, expiring questions, settling what is unconfirmed. */
export const createUpkeep = (parts: CoreParts, approvals: Approvals, items: Items, perform: Perform['perform']) => {
  const { gate, connection, live, log, changed, offline } = parts;
  const ended = new AbortController();
  const noted = (what: string) => (error: unknown) => {
    if (!ended.signal.aborted) log('warn', what, { code: problemView(error).code });
  };

  /** After a start and after connecting. What needs the network goes on behind the windows, which are there at once. */
  const takeUp = (): void => {
    if (connection.state() !== 'connected') return;
    items.reconnected();
    items.start();
    for (const topic of ['app', 'items', 'approvals', 'setup', 'account', 'notifications'] as const) changed(topic);
    live.refresh().catch(noted('the live route list could not be read'));
    perform({ by: person, route: 'readStanding', input: {} }).catch(noted('the standing could not be read'));
    approvals.recover().catch(noted('the approvals could not be recovered'));
  };

  const look = async (): Promise<void> => {
    approvals.expireDue();
    // Whoever waits with nothing under way sees it end, too.
    if (offline() !== null) await live.refresh().catch(noted('the service is still not reached'));
    await approvals.settle().catch(noted('unsettled approvals stay so'));
  };

  const run = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await gate.rest(everyMs, ended.signal);
      if (ended.signal.aborted || connection.state() !== 'connected') continue;
      await look().catch(noted('the upkeep stands still'));
    }
  };

  /** The machine is awake, the network back, or the clock set: what waits is tried now, what is due is settled. */
  const wake = (): void => {
    gate.nudge();
    if (connection.state() !== 'connected') return;
    live.refresh().catch(noted('the live route list could not be read'));
    perform({ by: person, route: 'readStanding', input: {} }).catch(noted('the standing could not be read'));
  };

  return { takeUp, wake, start: () => void run(), stop: () => ended.abort() };
};
