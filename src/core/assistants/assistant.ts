/** An assistant that asks to be let in: the person compares the code on both sides. */
export type PairingView = { pairingId: string; name: string; code: string; askedAt: number; expiresAt: number };
export type AssistantView = {
  assistantId: string;
  name: string;
  pairedAt: number;
  lastUsedAt: number | null;
  paused: boolean;
  /** The most it may have published and spent in a day, and what of it is used today. Null: no limit. */
  budget: {
    publishesPerDay: number | null;
    moneyCentsPerDay: number | null;
    publishesToday: number;
    moneyCentsToday: number;
  };
  /** Which listings it may touch. */
  touches: 'all' | 'own';
};
