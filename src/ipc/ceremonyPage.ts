import type { ProofKind } from '../core/presence/proof.ts';

/** One act on the ceremony page. The title and the lines come from a listing, so the page shows them as foreign text. */
export type CeremonyRow = { act: string; title: string | null; lines: string[]; photo: string | null };

/** What the ceremony page draws, in the language of the person. */
export type CeremonyView = {
  heading: string;
  rows: CeremonyRow[];
  /** The values are foreign text. */
  facts: { label: string; value: string }[];
};

export const ceremonyWords = [
  'usePasskey',
  'createPasskey',
  'useSystem',
  'usePin',
  'setPin',
  'pin',
  'pinAgain',
  'pinHint',
  'pinsDiffer',
  'pinWaitsFor',
  'pinWaitOver',
  'cancel',
  'waiting',
  'checking',
  'done',
  'saved',
  'cancelled',
  'notConfirmed',
  'noAuthenticator',
  'noAuthenticatorSetUp',
  'privateWindow',
  'lostKey',
  'alreadyAdded',
  'noWebAuthn',
  'noWay',
  'lost',
  'over',
  'unreachable',
] as const;
export type CeremonyWord = (typeof ceremonyWords)[number];

/** What the server writes into the page. */
export type CeremonyPageData = { words: Record<CeremonyWord, string>; opened: OpenedCeremony };

/** What the page shows and offers. Options that are passed to the browser unchanged have no type here. */
export type OpenedCeremony = {
  view: CeremonyView;
  isRegistration: boolean;
  kinds: ProofKind[];
  passkeyOptions: object | null;
  leftMs: number;
  /** The seconds until the next PIN can be entered, or 0. */
  pinWaitS: number;
};

export type CeremonyProblem = { code: string; sentence: string; retryAfterS?: number };
export type CeremonyReply = { ok: true } | { ok: false; problem: CeremonyProblem };
