import { problemView } from '../../core/base/problem.ts';
import type { Log } from '../../core/base/ports.ts';
import type { Companion } from '../../core/companion/createCompanion.ts';
import type { Practice } from '../../practice/startPractice.ts';
import { isLeft } from './practicePeople.ts';

type LeftShopsContext = {
  companion: Pick<Companion, 'state' | 'onChanged'>;
  practice: Pick<Practice, 'addresses' | 'remove'>;
  log: Log;
};

/**
 * Removes practice shops that nobody comes back to, as there is a newer one of their kind: once the companion is connected
 * as somebody else, and at a start what was left before. Answers how it is stopped.
 */
export const removeLeftShops = ({ companion, practice, log }: LeftShopsContext): (() => Promise<void>) => {
  let last = Promise.resolve();
  let seen: string | null | undefined;

  const removeLeft = async (): Promise<void> => {
    const addresses = practice.addresses();
    for (const email of addresses) if (isLeft(email, addresses) && email !== connected()) await practice.remove(email);
  };
  const connected = (): string | null => companion.state(null).person?.email ?? null;
  const look = (): void => {
    const email = connected();
    if (email === seen) return;
    seen = email;
    last = last.then(removeLeft).catch((error: unknown) => {
      log('warn', 'a practice shop that was left is still there', { code: problemView(error).code });
    });
  };
  const stopListening = companion.onChanged((topic) => {
    if (topic === 'app') look();
  });
  look();
  return async () => {
    stopListening();
    await last;
  };
};
