import type { ProofKind } from '../../core/presence/proof.ts';

type CeremonyWay = 'systemPrompt' | 'window' | 'browser';

/**
 * Chooses where the person confirms. Electron can use passkeys only on Windows, so on other systems the person's browser
 * shows the page.
 */
export const chooseCeremonyWay = (
  platform: NodeJS.Platform,
  kinds: readonly ProofKind[],
  hasSystemPrompt: boolean,
): CeremonyWay => {
  if (hasSystemPrompt && kinds.includes('system')) return 'systemPrompt';
  return kinds.includes('passkey') && platform !== 'win32' ? 'browser' : 'window';
};
