import type { Prompt } from '../../../api/types.ts';

/** How many extras a prompt of `approveExtras` is about; null when it does not say. */
export const countIn = ({ act }: Pick<Prompt, 'act'>): number | null => {
  const found = /\b(\d{1,3})\b/.exec(act);
  return found ? Number(found[1]) : null;
};
