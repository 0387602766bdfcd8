import type { ClientId, ClientPlan, ClientState, ClientView, ClientBundle, DiffLine } from '../../ipc/clients.ts';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { Companion } from '../../core/companion/createCompanion.ts';
import type { Secrets } from '../../core/base/ports.ts';
import { problem, problemView } from '../../core/base/problem.ts';
import { newIdentity, tokenNameOf, openAssistantKeychain } from '../clientTokens.ts';
import {
  clientOf,
  clientTable,
  serverName,
  type ClientDefinition,
  type UserPlaces,
  type SettingsFormat,
} from './clientTable.ts';
import { addEntry, readEntry, removeEntry } from './editSettings.ts';
import { readCopy, readSettings, replaceSettings, type SettingsFile } from './settingsFile.ts';
import { withIdentity, clientSnippets } from './snippets.ts';
import { mcpCommand, mustNameData, type StartCommand, type DataPlace } from './startCommand.ts';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { Handlers } from '../../ipc/calls.ts';
import { structuredPatch } from 'diff';

const contextLines = 2;
const kinds: Record<string, DiffLine['kind']> = { '+': 'added', '-': 'removed' };
const hidden = '…';

/** Returns every value of an entry as text. */
export const valuesIn = (entry: unknown): string[] => {
  if (typeof entry !== 'object' || entry === null) return [String(entry)];
  return Object.values(entry).flatMap(valuesIn);
};

const comments: Record<SettingsFormat, RegExp> = {
  json: /(?!)/y,
  jsonc: /\/[/*]/y,
  toml: /#/y,
  yaml: /#/y,
};
const header = /^\s*\[{1,2}[\w.\s"'-]+\]{1,2}\s*$/;
/** An unquoted name at the start of a line of TOML or YAML. */
const bareName = /^(\s*(?:-\s+)?[\w.-]+)(?=\s*[:=](?:\s|$))/;
const marks = /[\s{}[\],:=]+/y;
const quoted = /"(?:[^"\\]|\\.)*"|'[^']*'/y;
const isNameAt = /\s*:/y;
const bare = /[^\s{}[\],]+/y;

const at = (pattern: RegExp, text: string, from: number): string | null => {
  pattern.lastIndex = from;
  return pattern.exec(text)?.[0] ?? null;
};

/** Returns the text between quotes; null if the escapes are invalid. */
const unquoted = (text: string): string | null => {
  try {
    return text.startsWith('"') ? String(JSON.parse(text)) : text.slice(1, -1);
  } catch {
    return null;
  }
};

/**
 * Returns a line with its names, and only those values that are in `ours`. Works line by line, because a value may
 * start on an earlier line.
 */
const shownLine = (line: string, format: SettingsFormat, ours: ReadonlySet<string>): string => {
  if (format === 'toml' && header.test(line)) return line;
  let shown = format === 'json' || format === 'jsonc' ? '' : (bareName.exec(line)?.[1] ?? '');
  for (let from = shown.length; from < line.length;) {
    if (at(comments[format], line, from) !== null) return `${shown}${hidden}`;
    const mark = at(marks, line, from);
    const text = mark ?? at(quoted, line, from) ?? at(bare, line, from) ?? line.slice(from);
    from += text.length;
    if (mark !== null) shown += mark;
    else if (/^(["']).*\1$/s.test(text) && text.length > 1) {
      const isShown = at(isNameAt, line, from) !== null || ours.has(unquoted(text) ?? hidden);
      shown += isShown ? text : `${text[0]}${hidden}${text[0]}`;
    } else shown += ours.has(text) ? text : hidden;
  }
  return shown.replaceAll(/…(?:[\s:=]*…)+/g, hidden);
};

/** Returns the difference of two texts with some lines of context. Values that are not in `ours` are hidden. */
const shownDifference = (
  [before, after]: readonly [before: string, after: string],
  format: SettingsFormat,
  ours: ReadonlySet<string>,
): DiffLine[] =>
  structuredPatch('', '', before, after, '', '', { context: contextLines }).hunks.flatMap(({ lines }) =>
    lines
      .filter((line) => !line.startsWith('\\'))
      .map((line) => ({
        kind: kinds[line[0] ?? ''] ?? 'same',
        text: shownLine(line.slice(1).replace(/\r$/, ''), format, ours),
      })),
  );

type Parts = {
  places: UserPlaces;
  /** The data folder that the command is given. */
  folder: Pick<DataPlace, 'dataDir' | 'ownData'>;
  /** The command that serves the tools of this companion. */
  command: StartCommand;
  assistants: Pick<Companion['assistants'], 'pairLocally' | 'holderOf' | 'list' | 'revoke'>;
  /** Opens the keychain with the tokens of clients, when it is first needed. */
  openSecrets: () => Promise<Secrets>;
};

type Plan = {
  client: ClientDefinition;
  read: SettingsFile;
  after: string;
  identity: string;
  /** The settings without our entry, to be stored as a copy; null if the existing copy is still valid. */
  copy: string | null;
};
type Own = Parts & { secrets: () => Promise<Secrets>; plans: Map<ClientId, Plan & { planId: string }> };

const shapeOf = ({ format, servers }: ClientDefinition) => ({ format, servers, name: serverName });
const fileOf = ({ places }: Parts, client: ClientDefinition): string => client.file(places);
const read = (own: Parts, client: ClientDefinition): Promise<SettingsFile> =>
  readSettings(fileOf(own, client), own.places.home);

const endings = (platform: NodeJS.Platform): string[] => (platform === 'win32' ? ['.exe', '.cmd', '.ps1'] : ['']);
const isOnPath = ({ platform, env }: UserPlaces, name: string): boolean =>
  (env['PATH'] ?? env['Path'] ?? '')
    .split(delimiter)
    .filter(isAbsolute)
    .some((folder) => endings(platform).some((ending) => existsSync(join(folder, `${name}${ending}`))));
const isInstalled = ({ places }: Parts, client: ClientDefinition): boolean =>
  client.folders(places).some((folder) => existsSync(folder)) || client.commands.some((name) => isOnPath(places, name));

const entryShape = z
  .looseObject({ command: z.string().optional(), cmd: z.string().optional(), args: z.array(z.string()) })
  .transform(({ command, cmd, args }) => ({ program: command ?? cmd ?? '', args }));

/** Returns the identity in an entry, and whether the entry starts this companion's own command. */
const readCommand = ({ command }: Parts, entry: unknown): { identity: string | null; isOurs: boolean } => {
  const parsed = entryShape.safeParse(entry);
  if (!parsed.success) return { identity: null, isOurs: false };
  const { program, args } = parsed.data;
  const at = args.indexOf('--identity');
  const identity = at === -1 ? null : (args[at + 1] ?? null);
  const others = at === -1 ? args : args.filter((_arg, index) => index !== at && index !== at + 1);
  return { identity, isOurs: program === command.program && isDeepStrictEqual(others, [...command.args]) };
};

/** Returns the assistant that a client is paired as, by the identity in its settings; null if there is none. */
const assistantOf = async (own: Own, identity: string | null): Promise<string | null> => {
  if (identity === null) return null;
  const token = await (await own.secrets()).get(tokenNameOf(identity, own.folder));
  return token === null ? null : own.assistants.holderOf(token);
};

const stateOf = async (own: Own, client: ClientDefinition): Promise<ClientState> => {
  try {
    const { text } = await read(own, client);
    const entry = text === null ? null : readEntry(shapeOf(client), text);
    if (entry === null) return { state: 'none' };
    const { identity, isOurs } = readCommand(own, entry);
    if (!isOurs) return { state: 'moved' };
    const { kind } = await own.secrets();
    if (kind === 'memory') return { state: 'asksAnew' };
    const assistantId = await assistantOf(own, identity);
    const found = own.assistants.list().assistants.find((one) => one.assistantId === assistantId);
    return found === undefined ? { state: 'ended' } : { state: 'paired', lastUsedAt: found.lastUsedAt };
  } catch (error) {
    return { state: 'blocked', problem: problemView(error) };
  }
};

const list = (own: Own): Promise<ClientView[]> =>
  Promise.all(
    clientTable
      .filter((client) => isInstalled(own, client))
      .map(async (client) => ({
        id: client.id,
        name: client.name,
        file: fileOf(own, client),
        ...(await stateOf(own, client)),
      })),
  );

/**
 * Returns the settings from before our entry was added; null if there was no file, `undefined` if the settings have
 * changed since.
 */
const textBefore = async (
  client: ClientDefinition,
  { path, text }: SettingsFile,
): Promise<string | null | undefined> => {
  const shape = shapeOf(client);
  const entry = text === null ? null : readEntry(shape, text);
  const parsed = z.record(z.string(), z.unknown()).safeParse(entry);
  if (!parsed.success) return undefined;
  const before = await readCopy(path);
  const isWhole = addEntry(shape, before ?? '', parsed.data) === text;
  return isWhole ? before : undefined;
};

const entryIn = (client: ClientDefinition, { text }: SettingsFile): unknown =>
  text === null ? null : readEntry(shapeOf(client), text);

/** Returns the command in an existing entry of ours. Other values that the person added to the entry stay hidden. */
const entryBefore = (client: ClientDefinition, found: SettingsFile): unknown => {
  const { data } = entryShape.safeParse(entryIn(client, found));
  return data ?? [];
};

const plan = async (own: Own, clientId: ClientId): Promise<ClientPlan> => {
  const client = clientOf(clientId);
  const found = await read(own, client);
  const before = await textBefore(client, found).catch(() => undefined);
  const identity = newIdentity();
  const copy = before === undefined ? removeEntry(shapeOf(client), found.text ?? '') : null;
  const entry = client.entry(withIdentity(own.command, identity));
  const after = addEntry(shapeOf(client), copy ?? before ?? '', entry);
  const planId = randomUUID();
  own.plans.set(clientId, { planId, client, read: found, after, identity, copy });
  return {
    planId,
    name: client.name,
    file: fileOf(own, client),
    isNew: found.text === null,
    lines: shownDifference(
      [found.text ?? '', after],
      client.format,
      new Set(valuesIn([entry, entryBefore(client, found)])),
    ),
  };
};

/** Revokes the pairing of an entry and removes its token. */
const endPairing = async (own: Own, entry: unknown): Promise<void> => {
  const { identity } = readCommand(own, entry);
  const assistantId = await assistantOf(own, identity);
  if (assistantId !== null) own.assistants.revoke(assistantId);
  if (identity !== null) await (await own.secrets()).remove(tokenNameOf(identity, own.folder));
};

const connect = async (own: Own, clientId: ClientId, planId: string): Promise<void> => {
  const planned = own.plans.get(clientId);
  if (planned?.planId !== planId)
    throw problem('SETTINGS_CHANGED', { values: { file: fileOf(own, clientOf(clientId)) } });
  own.plans.delete(clientId);
  const { client, read: found, after, identity, copy } = planned;
  await replaceSettings(found, { text: after, copy: copy === null ? 'keep' : { write: copy } });
  await endPairing(own, entryIn(client, found));
  const secrets = await own.secrets();
  // Without a keychain the token would be lost with this process, so the client requests a pairing when it starts.
  if (secrets.kind === 'memory') return;
  const { token, assistantId } = own.assistants.pairLocally(client.name);
  await secrets.set(tokenNameOf(identity, own.folder), token).catch((error: unknown) => {
    own.assistants.revoke(assistantId);
    throw error;
  });
};

const disconnect = async (own: Own, clientId: ClientId): Promise<void> => {
  const client = clientOf(clientId);
  const found = await read(own, client);
  const entry = entryIn(client, found);
  if (entry === null || found.text === null) return;
  const before = await textBefore(client, found).catch(() => undefined);
  const text = before === undefined ? removeEntry(shapeOf(client), found.text) : before;
  await replaceSettings(found, { text, copy: 'remove' });
  await endPairing(own, entry);
};

/**
 * Lists the clients on this machine and connects them by editing their settings. Only the person can do this. The plan
 * shows the change, and the person's confirmation is valid for that plan only.
 */
export const createClientConnections = (parts: Parts) => {
  let opening: Promise<Secrets> | undefined;
  const own: Own = { ...parts, plans: new Map(), secrets: () => (opening ??= parts.openSecrets()) };
  return {
    list: () => list(own),
    plan: (clientId: ClientId) => plan(own, clientId),
    connect: async (clientId: ClientId, planId: string) => {
      await connect(own, clientId, planId);
      return list(own);
    },
    disconnect: async (clientId: ClientId) => {
      await disconnect(own, clientId);
      return list(own);
    },
  };
};

type HandlerParts = {
  companion: Companion;
  bridgeUrl: () => string;
  /** The command that starts this copy's command line. */
  start: StartCommand;
  place: DataPlace;
  /** The bundle for desktop clients, and its version. */
  bundle: { file: string; version: string };
};

const readBundle = async ({ file, version }: HandlerParts['bundle']): Promise<ClientBundle> => {
  try {
    return { name: `listing-companion-${version}.mcpb`, base64: await readFile(file, 'base64') };
  } catch (error) {
    throw problem('BUNDLE_MISSING', { cause: error });
  }
};

/** Serves the window's calls about the clients on this machine. */
export const clientHandlers = ({
  companion,
  bridgeUrl,
  start,
  place,
  bundle,
}: HandlerParts): Pick<Handlers, Extract<keyof Handlers, `clients.${string}`>> => {
  const places = { platform: process.platform, home: homedir(), env: process.env };
  const command = mcpCommand(start, place);
  const folder = { dataDir: place.dataDir, ownData: mustNameData(place) };
  const connections = createClientConnections({
    ...{ places, command, folder, assistants: companion.assistants },
    // Must match how the command line opens the keychain.
    openSecrets: () => openAssistantKeychain({ ...place, ...folder }),
  });
  return {
    'clients.snippets': async () => clientSnippets(bridgeUrl(), command, places),
    'clients.bundle': () => readBundle(bundle),
    'clients.list': connections.list,
    'clients.plan': ({ clientId }) => connections.plan(clientId),
    'clients.connect': ({ clientId, planId }) => connections.connect(clientId, planId),
    'clients.disconnect': ({ clientId }) => connections.disconnect(clientId),
  };
};
