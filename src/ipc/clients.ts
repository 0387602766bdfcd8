import type { ProblemView } from '../core/base/problem.ts';

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

export type ClientBundle = { name: string; base64: string };

/** Where the person enters a set-up text. `ask`, `askNext` and `use` are the three curl commands. */
export type SnippetPlace = { file: string } | 'link' | 'terminal' | 'powershell' | 'ask' | 'askNext' | 'use';
type SnippetStep = { place: SnippetPlace; text: string };

/** `command` is set if the client can start a command, `address` if it can connect to a URL with a token. */
export type ClientSnippets = { name: string; command: SnippetStep[] | null; address: SnippetStep[] | null };

/**
 * `none`: the client is not connected. `paired`: it has its own pairing. `asksAnew`: no keychain stores its token, so
 * it requests a pairing on each start. `ended`: its pairing has ended or never existed. `moved`: its settings start
 * another program or data folder. `blocked`: its settings cannot be read or changed.
 */
export type ClientState =
  | { state: 'none' | 'asksAnew' | 'ended' | 'moved' }
  | { state: 'paired'; lastUsedAt: number | null }
  | { state: 'blocked'; problem: ProblemView };
export type ClientView = ClientState & { id: ClientId; name: string; file: string };

export type DiffLine = { kind: 'same' | 'added' | 'removed'; text: string };

/** The planned change of a client's settings. The person approves exactly this plan. */
export type ClientPlan = { planId: string; name: string; file: string; isNew: boolean; lines: DiffLine[] };
