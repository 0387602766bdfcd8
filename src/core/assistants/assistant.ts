import type { NameLike } from '../base/similarNames.ts';
import type { AssistantScope } from '../storage/tables/assistantsTable.ts';

/** An assistant that asks to be let in: the person compares the code on both sides. */
export type PairingView = {
  pairingId: string;
  name: string;
  code: string;
  askedAt: number;
  expiresAt: number;
  /** Why its name is easily taken for another one's; null when it is not. */
  nameLike: NameLike | null;
};

export type AssistantView = {
  assistantId: string;
  name: string;
  pairedAt: number;
  lastUsedAt: number | null;
  paused: boolean;
  /** True while the person has not looked at it again since its rights may have come back from an older time. */
  restored: boolean;
  /** Why its name is easily taken for another one's; null when it is not. */
  nameLike: NameLike | null;
  /** The most it may have published and spent in a day, and what of it is used today. Null: no limit. */
  budget: {
    publishesPerDay: number | null;
    moneyCentsPerDay: number | null;
    publishesToday: number;
    moneyCentsToday: number;
  };
  /** Which listings it may touch. */
  touches: 'all' | 'own';
  scope: AssistantScope;
  /** The folders on this machine whose photos it may use: absolute paths. */
  folders: string[];
};

/** One call of an assistant, for the person to look at. Kept while the companion runs. */
export type ActivityRow = {
  at: number;
  assistantId: string;
  name: string;
  /** What it did, in words: the route's or the tool's. */
  what: string;
  method: string;
  path: string;
  status: number;
  answeredFrom: 'service' | 'cache' | 'companion' | 'refused';
};

/** A page of the service that an assistant asked for and only the person may open. The address stays here. */
export type OfferView = { offerId: string; by: string; what: string; host: string; at: number };
