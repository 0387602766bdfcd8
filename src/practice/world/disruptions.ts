import { minuteMs } from '../clock.ts';
import { refuse, retryAfter } from '../refusal.ts';
import type { Disruptions, World } from './world.ts';

export const noDisruptions: Disruptions = {
  mailDown: false,
  mailDelayMs: 0,
  marketDownUntil: 0,
  accountSetupMs: 0,
  callsPerMinute: null,
};

/** Refuses with 503 and Retry-After while the mail service is down. */
export const requireMail = ({ disruptions }: World, sentence: string, code?: string): void => {
  if (disruptions.mailDown) refuse(503, sentence, code, { headers: retryAfter(minuteMs) });
};

/** Waits for the simulated delay of the mail service. The state can change during the wait. */
export const waitForMail = async (world: World): Promise<void> => {
  const { mailDelayMs } = world.disruptions;
  if (mailDelayMs === 0) return;
  world.mailsWaiting += 1;
  await world.clock.sleep(mailDelayMs, new AbortController().signal);
  world.mailsWaiting -= 1;
};

export const requireMarket = ({ clock, disruptions }: World): void => {
  const left = disruptions.marketDownUntil - clock.now();
  if (left > 0)
    refuse(503, 'The marketplace cannot be reached right now. Try again in a minute.', 'MARKET_TRANSIENT', {
      headers: retryAfter(left),
    });
};

/** Refuses to sign in to a new account until its set-up ends. The set-up starts with the first attempt. */
export const requireAccountSetUp = ({ clock, disruptions, settingUp }: World, email: string): void => {
  const now = clock.now();
  const readyAt = settingUp.get(email) ?? now + disruptions.accountSetupMs;
  if (readyAt <= now || disruptions.accountSetupMs === 0) return void settingUp.delete(email);
  settingUp.set(email, readyAt);
  refuse(503, 'The account is being set up. Try again with the same code in a moment.', 'ACCOUNT_BUSY', {
    headers: retryAfter(readyAt - now),
  });
};

/** Counts a call of an assistant. Refuses it above the limit per minute. */
export const limitRate = ({ clock, disruptions, recentCalls }: World, keyId: string): void => {
  const most = disruptions.callsPerMinute;
  if (most === null) return void recentCalls.clear();
  const now = clock.now();
  const calls = (recentCalls.get(keyId) ?? []).filter((at) => at > now - minuteMs);
  const [oldest] = calls.slice(-most);
  if (calls.length >= most && oldest !== undefined)
    refuse(429, `This assistant may make ${most} calls a minute. Wait a little.`, undefined, {
      headers: retryAfter(oldest + minuteMs - now),
    });
  recentCalls.set(keyId, [...calls, now]);
};
