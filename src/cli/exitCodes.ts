/** How the command line ends. Scripts rely on these numbers. */
export const exitCodes = {
  ok: { code: 0, means: 'done' },
  refused: { code: 1, means: 'refused or failed' },
  misuse: { code: 2, means: 'the command line is wrong' },
  notReady: { code: 3, means: 'the companion is not running, or this command line is not paired with it' },
  waiting: { code: 4, means: 'it waits for the person' },
} as const;
/** A way to end, by its name. */
export type Exit = keyof typeof exitCodes;

const notReady = new Set(['NOT_RUNNING', 'NOT_PAIRED', 'UNAUTHORIZED']);
/** How the command line ends after a problem of this code. */
export const exitOf = (code: string): Exit => {
  if (code === 'MISUSE') return 'misuse';
  return notReady.has(code) ? 'notReady' : 'refused';
};
