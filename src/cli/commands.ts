import type { Command, Streams } from './command.ts';
import type { StartProcess } from '../isolated/processClient.ts';

/** A standalone command needs no running companion and parses its own arguments. It returns the exit code. */
type StandaloneCommand = (
  args: readonly string[],
  process: Streams & { startKitchen?: StartProcess },
) => Promise<number>;
type CommandRow = { summary: string } & (
  { load: () => Promise<Command> } | { standalone: () => Promise<StandaloneCommand> }
);

export const commands: Readonly<Record<string, CommandRow>> = {
  status: {
    summary: 'Is the companion running, am I paired, what is left of the allowance',
    load: async () => (await import('./commands/pair.ts')).statusCommand,
  },
  pair: {
    summary: 'Ask the person to let this command line in',
    load: async () => (await import('./commands/pair.ts')).pairCommand,
  },
  add: {
    summary: 'Turn a folder of photos into a listing to review',
    load: async () => (await import('./commands/listings.ts')).addCommand,
  },
  list: { summary: 'List the listings', load: async () => (await import('./commands/listings.ts')).listCommand },
  show: {
    summary: 'Show a listing or an item',
    load: async () => (await import('./commands/listings.ts')).showCommand,
  },
  shelf: {
    summary: 'Show or change where an item is, its SKU, tags and note',
    load: async () => (await import('./commands/shelf.ts')).shelfCommand,
  },
  publish: {
    summary: 'Ask the person to publish a listing, and wait for their answer',
    load: async () => (await import('./commands/publish.ts')).publishCommand,
  },
  approvals: {
    summary: 'List what was asked of the person, and how it stands',
    load: async () => (await import('./commands/publish.ts')).approvalsCommand,
  },
  verify: {
    summary: 'Verify a receipt or the exported history, without the companion',
    load: async () => (await import('./commands/verify.ts')).verifyCommand,
  },
  prepare: {
    summary: 'Make upload-ready photos of a file or a folder, without the companion',
    standalone: async () => (await import('./prepare/prepareCommand.ts')).prepareCommand,
  },
  forget: {
    summary: 'Remove the key and all data, where the person asked for it',
    load: async () => (await import('./commands/forget.ts')).forgetCommand,
  },
  mcp: {
    summary: 'Serve the tools over stdio, for clients that start a process',
    load: async () => (await import('./mcp/serveTools.ts')).mcpCommand,
  },
};
