import { minuteMs } from '../clock.ts';
import { refuseCall, createRetryAfterHeader } from '../refusal.ts';
import type { Disruptions, World } from './world.ts';

export const noDisruptions: Disruptions = {
  mailDown: false,
  mailDelayMs: 0,
  marketDownUntil: 0,
  accountSetupMs: 0,
  callsPerMinute: null,
  keepsWrittenPhotos: false,
  encodesPhotos: false,
};

/** Refuses with 503 and Retry-After while the mail service is down. */
export const requireMailService = ({ disruptions }: World, sentence: string, code?: string): void => {
  if (disruptions.mailDown) refuseCall(503, sentence, code, { headers: createRetryAfterHeader(minuteMs) });
};

/**
 * Waits for the simulated delay of the mail service. Check the state again afterwards, because it can change during the
 * wait.
 */
export const waitForMailDelay = async (world: World): Promise<void> => {
  const { mailDelayMs } = world.disruptions;
  if (mailDelayMs === 0) return;
  world.mailsWaiting += 1;
  await world.clock.sleep(mailDelayMs, new AbortController().signal);
  world.mailsWaiting -= 1;
};

export const requireReachableMarket = ({ clock, disruptions }: World): void => {
  const left = disruptions.marketDownUntil - clock.now();
  if (left > 0)
    refuseCall(503, 'The marketplace cannot be reached right now. Try again in a minute.', 'MARKET_TRANSIENT', {
      headers: createRetryAfterHeader(left),
    });
};

/** Refuses a sign-in until the account is set up. The set-up starts with the first attempt to sign in. */
export const requireAccountSetUp = ({ clock, disruptions, accountsInSetUp }: World, email: string): void => {
  const now = clock.now();
  const readyAt = accountsInSetUp.get(email) ?? now + disruptions.accountSetupMs;
  if (readyAt <= now || disruptions.accountSetupMs === 0) return void accountsInSetUp.delete(email);
  accountsInSetUp.set(email, readyAt);
  refuseCall(503, 'The account is being set up. Try again with the same code in a moment.', 'ACCOUNT_BUSY', {
    headers: createRetryAfterHeader(readyAt - now),
  });
};

/** Counts a call of an assistant. Refuses the call if the assistant exceeds its limit per minute. */
export const countCallAgainstRateLimit = ({ clock, disruptions, recentCalls }: World, keyId: string): void => {
  const maxCalls = disruptions.callsPerMinute;
  if (maxCalls === null) return void recentCalls.clear();
  const now = clock.now();
  const calls = (recentCalls.get(keyId) ?? []).filter((at) => at > now - minuteMs);
  const [oldest] = calls.slice(-maxCalls);
  if (calls.length >= maxCalls && oldest !== undefined)
    refuseCall(429, `This assistant may make ${maxCalls} calls a minute. Wait a little.`, undefined, {
      headers: createRetryAfterHeader(oldest + minuteMs - now),
    });
  recentCalls.set(keyId, [...calls, now]);
};
