import type { ProblemView } from '../core/base/problem.ts';

/** The clients whose settings the companion knows. */
export const clientIds = [
  'claude-code',
  'claude-desktop',
  'codex',
  'gemini',
  'cursor',
  'vscode',
  'windsurf',
  'goose',
] as const;
export type ClientId = (typeof clientIds)[number];

/** The tools as one file that desktop clients install by themselves. */
export type ClientBundle = { name: string; base64: string };

/** Where a text of a client's own set-up belongs: into a file, a terminal, or as one of the three steps of plain curl. */
export type SnippetPlace = { file: string } | 'link' | 'terminal' | 'powershell' | 'ask' | 'askNext' | 'use';
type SnippetStep = { place: SnippetPlace; text: string };

/** The ready texts for a client: by a command that it starts, by the address with a token, or by both. */
export type ClientSnippets = { name: string; command: SnippetStep[] | null; address: SnippetStep[] | null };

/**
 * How a client that is installed here stands: `none`, not connected; `paired`, it has a pairing of its own; `asksAnew`, no keychain keeps its
 * token, so it asks each time it starts; `ended`, its pairing is over or was never made; `moved`, it starts a program or data folder
 * that is not this companion's; `blocked`, its settings cannot be read or changed.
 */
export type ClientState =
  | { state: 'none' | 'asksAnew' | 'ended' | 'moved' }
  | { state: 'paired'; lastUsedAt: number | null }
  | { state: 'blocked'; problem: ProblemView };
export type ClientView = ClientState & { id: ClientId; name: string; file: string };

/** A line of a change: kept, added or removed. Lines that are far from the change are left out. */
export type DiffLine = { kind: 'same' | 'added' | 'removed'; text: string };

/** What connecting a client would change: the person's yes is bound to exactly this. */
export type ClientPlan = { planId: string; name: string; file: string; isNew: boolean; lines: DiffLine[] };
