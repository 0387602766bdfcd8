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

/** Where a text of a client's own set-up belongs: into a file, a terminal, or as one of the three steps of plain curl. */
export type SnippetPlace = { file: string } | 'terminal' | 'powershell' | 'ask' | 'askNext' | 'use';
type SnippetStep = { place: SnippetPlace; text: string };

/** The ready texts for a client: by a command that it starts, by the address with a token, or by both. */
export type ClientSnippets = { name: string; command: SnippetStep[] | null; address: SnippetStep[] | null };
