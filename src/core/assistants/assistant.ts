/** An assistant that asks to be let in: the person compares the code on both sides. */
export type PairingView = { pairingId: string; name: string; code: string; askedAt: number; expiresAt: number };
export type AssistantView = { assistantId: string; name: string; pairedAt: number; lastUsedAt: number | null };
