import type { ProblemView } from '../core/base/problem.ts';

/** The clients whose settings the companion can change. */
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

/** The tools as one file that desktop clients can install. */
export type ClientBundle = { name: string; base64: string };

/** The place of a set-up text: a file, a terminal, a link, or one of the three curl steps. */
export type SnippetPlace = { file: string } | 'link' | 'terminal' | 'powershell' | 'ask' | 'askNext' | 'use';
type SnippetStep = { place: SnippetPlace; text: string };

/** The set-up texts of a client: for a command that it starts, for an address with a token, or for both. */
export type ClientSnippets = { name: string; command: SnippetStep[] | null; address: SnippetStep[] | null };

/**
 * The state of an installed client. `none`: not connected. `paired`: it has its own pairing. `asksAnew`: no keychain
 * stores its token, so it asks on each start. `ended`: its pairing ended or never existed. `moved`: it starts another
 * program or data folder. `blocked`: its settings cannot be read or changed.
 */
export type ClientState =
  | { state: 'none' | 'asksAnew' | 'ended' | 'moved' }
  | { state: 'paired'; lastUsedAt: number | null }
  | { state: 'blocked'; problem: ProblemView };
export type ClientView = ClientState & { id: ClientId; name: string; file: string };

/** A line of a diff. Lines far from the change are omitted. */
export type DiffLine = { kind: 'same' | 'added' | 'removed'; text: string };

/** The change that connecting a client would make. The person's approval covers exactly this plan. */
export type ClientPlan = { planId: string; name: string; file: string; isNew: boolean; lines: DiffLine[] };
