import type { ClientId, ClientPlan, ClientState, ClientView, ClientBundle, DiffLine } from '../../ipc/clients.ts';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { Companion } from '../../core/companion/createCompanion.ts';
import type { Secrets } from '../../core/base/ports.ts';
import { createProblem, toProblemView } from '../../core/base/problem.ts';
import { createClientIdentity, getTokenKeychainName, openAssistantKeychain } from '../clientTokens.ts';
import {
  getClientById,
  clientTable,
  serverName,
  type ClientDefinition,
  type UserPlaces,
  type SettingsFormat,
} from './clientTable.ts';
import { addSettingsEntry, getSettingsEntry, removeSettingsEntry } from './editSettings.ts';
import { readSettingsCopy, readSettingsFile, replaceSettingsFile, type SettingsFile } from './settingsFile.ts';
import { addIdentityArgument, createClientSnippets } from './snippets.ts';
import { createMcpCommand, mustPassDataDir, type StartCommand, type DataPlace } from './startCommand.ts';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { CallHandlers } from '../../ipc/calls.ts';
import { structuredPatch } from 'diff';

const contextLines = 2;
const kinds: Record<string, DiffLine['kind']> = { '+': 'added', '-': 'removed' };
const hiddenMark = '…';

export const listEntryValues = (entry: unknown): string[] => {
  if (typeof entry !== 'object' || entry === null) return [String(entry)];
  return Object.values(entry).flatMap(listEntryValues);
};

const comments: Record<SettingsFormat, RegExp> = {
  json: /(?!)/y,
  jsonc: /\/[/*]/y,
  toml: /#/y,
  yaml: /#/y,
};
const header = /^\s*\[{1,2}[\w.\s"'-]+\]{1,2}\s*$/;
/** Matches an unquoted name at the beginning of a line of TOML or YAML. */
const bareName = /^(\s*(?:-\s+)?[\w.-]+)(?=\s*[:=](?:\s|$))/;
const marks = /[\s{}[\],:=]+/y;
const quoted = /"(?:[^"\\]|\\.)*"|'[^']*'/y;
const isNameAt = /\s*:/y;
const bare = /[^\s{}[\],]+/y;

const matchPatternAt = (pattern: RegExp, text: string, from: number): string | null => {
  pattern.lastIndex = from;
  return pattern.exec(text)?.[0] ?? null;
};

const unquoteText = (text: string): string | null => {
  try {
    return text.startsWith('"') ? String(JSON.parse(text)) : text.slice(1, -1);
  } catch {
    return null;
  }
};

/**
 * Hides every value that is not in `ours`. The line might continue a value that begins on an earlier line, so all text
 * that is not recognised is also hidden.
 */
const redactSettingsLine = (line: string, format: SettingsFormat, ours: ReadonlySet<string>): string => {
  if (format === 'toml' && header.test(line)) return line;
  let shown = format === 'json' || format === 'jsonc' ? '' : (bareName.exec(line)?.[1] ?? '');
  for (let from = shown.length; from < line.length;) {
    if (matchPatternAt(comments[format], line, from) !== null) return `${shown}${hiddenMark}`;
    const mark = matchPatternAt(marks, line, from);
    const text = mark ?? matchPatternAt(quoted, line, from) ?? matchPatternAt(bare, line, from) ?? line.slice(from);
    from += text.length;
    if (mark !== null) shown += mark;
    else if (/^(["']).*\1$/s.test(text) && text.length > 1) {
      const isShown = matchPatternAt(isNameAt, line, from) !== null || ours.has(unquoteText(text) ?? hiddenMark);
      shown += isShown ? text : `${text[0]}${hiddenMark}${text[0]}`;
    } else shown += ours.has(text) ? text : hiddenMark;
  }
  return shown.replaceAll(/…(?:[\s:=]*…)+/g, hiddenMark);
};

const diffRedactedSettings = (
  [before, after]: readonly [before: string, after: string],
  format: SettingsFormat,
  ours: ReadonlySet<string>,
): DiffLine[] =>
  structuredPatch('', '', before, after, '', '', { context: contextLines }).hunks.flatMap(({ lines }) =>
    lines
      .filter((line) => !line.startsWith('\\'))
      .map((line) => ({
        kind: kinds[line[0] ?? ''] ?? 'same',
        text: redactSettingsLine(line.slice(1).replace(/\r$/, ''), format, ours),
      })),
  );

type ConnectionParts = {
  places: UserPlaces;
  folder: Pick<DataPlace, 'dataDir' | 'ownData'>;
  command: StartCommand;
  assistants: Pick<Companion['assistants'], 'pairLocally' | 'holderOf' | 'list' | 'revoke'>;
  openSecrets: () => Promise<Secrets>;
  /** Records that the settings of a client were written. */
  recordWritten: (clientName: string) => void;
};

type ConnectionPlan = {
  client: ClientDefinition;
  read: SettingsFile;
  after: string;
  identity: string;
  copy: string | null;
};
type ConnectionContext = ConnectionParts & {
  secrets: () => Promise<Secrets>;
  plans: Map<ClientId, ConnectionPlan & { planId: string }>;
};

const toSettingsShape = ({ format, servers }: ClientDefinition) => ({ format, servers, name: serverName });
const getSettingsPath = ({ places }: ConnectionParts, client: ClientDefinition): string => client.file(places);
const readClientSettings = (own: ConnectionParts, client: ClientDefinition): Promise<SettingsFile> =>
  readSettingsFile(getSettingsPath(own, client), own.places.home);

const listProgramExtensions = (platform: NodeJS.Platform): string[] =>
  platform === 'win32' ? ['.exe', '.cmd', '.ps1'] : [''];
const isProgramOnPath = ({ platform, env }: UserPlaces, name: string): boolean =>
  (env['PATH'] ?? env['Path'] ?? '')
    .split(delimiter)
    .filter(isAbsolute)
    .some((folder) => listProgramExtensions(platform).some((ending) => existsSync(join(folder, `${name}${ending}`))));
const isClientInstalled = ({ places }: ConnectionParts, client: ClientDefinition): boolean =>
  client.folders(places).some((folder) => existsSync(folder)) ||
  client.commands.some((name) => isProgramOnPath(places, name));

const entryShape = z
  .looseObject({ command: z.string().optional(), cmd: z.string().optional(), args: z.array(z.string()) })
  .transform(({ command, cmd, args }) => ({ program: command ?? cmd ?? '', args }));

const parseEntryCommand = (
  { command }: ConnectionParts,
  entry: unknown,
): { identity: string | null; isOurs: boolean } => {
  const parsed = entryShape.safeParse(entry);
  if (!parsed.success) return { identity: null, isOurs: false };
  const { program, args } = parsed.data;
  const at = args.indexOf('--identity');
  const identity = at === -1 ? null : (args[at + 1] ?? null);
  const others = at === -1 ? args : args.filter((_arg, index) => index !== at && index !== at + 1);
  return { identity, isOurs: program === command.program && isDeepStrictEqual(others, [...command.args]) };
};

const findPairedAssistant = async (own: ConnectionContext, identity: string | null): Promise<string | null> => {
  if (identity === null) return null;
  const token = await (await own.secrets()).get(getTokenKeychainName(identity, own.folder));
  return token === null ? null : own.assistants.holderOf(token);
};

const readClientState = async (own: ConnectionContext, client: ClientDefinition): Promise<ClientState> => {
  try {
    const { text } = await readClientSettings(own, client);
    const entry = text === null ? null : getSettingsEntry(toSettingsShape(client), text);
    if (entry === null) return { state: 'none' };
    const { identity, isOurs } = parseEntryCommand(own, entry);
    if (!isOurs) return { state: 'moved' };
    const { kind } = await own.secrets();
    if (kind === 'memory') return { state: 'asksAnew' };
    const assistantId = await findPairedAssistant(own, identity);
    const found = own.assistants.list().assistants.find((one) => one.assistantId === assistantId);
    return found === undefined ? { state: 'ended' } : { state: 'paired', lastUsedAt: found.lastUsedAt };
  } catch (error) {
    return { state: 'blocked', problem: toProblemView(error) };
  }
};

const listInstalledClients = (own: ConnectionContext): Promise<ClientView[]> =>
  Promise.all(
    clientTable
      .filter((client) => isClientInstalled(own, client))
      .map(async (client) => ({
        id: client.id,
        name: client.name,
        file: getSettingsPath(own, client),
        ...(await readClientState(own, client)),
      })),
  );

/**
 * Returns null if there was no settings file before we added our entry, and `undefined` if the settings have changed
 * since then.
 */
const readOriginalSettings = async (
  client: ClientDefinition,
  { path, text }: SettingsFile,
): Promise<string | null | undefined> => {
  const shape = toSettingsShape(client);
  const entry = text === null ? null : getSettingsEntry(shape, text);
  const parsed = z.record(z.string(), z.unknown()).safeParse(entry);
  if (!parsed.success) return undefined;
  const before = await readSettingsCopy(path);
  const isWhole = addSettingsEntry(shape, before ?? '', parsed.data) === text;
  return isWhole ? before : undefined;
};

const getOwnEntry = (client: ClientDefinition, { text }: SettingsFile): unknown =>
  text === null ? null : getSettingsEntry(toSettingsShape(client), text);

const getExistingCommand = (client: ClientDefinition, found: SettingsFile): unknown => {
  const { data } = entryShape.safeParse(getOwnEntry(client, found));
  return data ?? [];
};

const planClientConnection = async (own: ConnectionContext, clientId: ClientId): Promise<ClientPlan> => {
  const client = getClientById(clientId);
  const found = await readClientSettings(own, client);
  const before = await readOriginalSettings(client, found).catch(() => undefined);
  const identity = createClientIdentity();
  const copy = before === undefined ? removeSettingsEntry(toSettingsShape(client), found.text ?? '') : null;
  const entry = client.entry(addIdentityArgument(own.command, identity));
  const after = addSettingsEntry(toSettingsShape(client), copy ?? before ?? '', entry);
  const planId = randomUUID();
  own.plans.set(clientId, { planId, client, read: found, after, identity, copy });
  return {
    planId,
    name: client.name,
    file: getSettingsPath(own, client),
    isNew: found.text === null,
    lines: diffRedactedSettings(
      [found.text ?? '', after],
      client.format,
      new Set(listEntryValues([entry, getExistingCommand(client, found)])),
    ),
  };
};

const revokeEntryPairing = async (own: ConnectionContext, entry: unknown): Promise<void> => {
  const { identity } = parseEntryCommand(own, entry);
  const assistantId = await findPairedAssistant(own, identity);
  if (assistantId !== null) own.assistants.revoke(assistantId);
  if (identity !== null) await (await own.secrets()).remove(getTokenKeychainName(identity, own.folder));
};

const connectPlannedClient = async (own: ConnectionContext, clientId: ClientId, planId: string): Promise<void> => {
  const planned = own.plans.get(clientId);
  if (planned?.planId !== planId)
    throw createProblem('SETTINGS_CHANGED', { values: { file: getSettingsPath(own, getClientById(clientId)) } });
  own.plans.delete(clientId);
  const { client, read: found, after, identity, copy } = planned;
  await replaceSettingsFile(found, { text: after, copy: copy === null ? 'keep' : { write: copy } });
  own.recordWritten(client.name);
  await revokeEntryPairing(own, getOwnEntry(client, found));
  const secrets = await own.secrets();
  // A token in memory would be lost when this process ends, so the client must request a pairing itself.
  if (secrets.kind === 'memory') return;
  const { token, assistantId } = own.assistants.pairLocally({ name: client.name });
  await secrets.set(getTokenKeychainName(identity, own.folder), token).catch((error: unknown) => {
    own.assistants.revoke(assistantId);
    throw error;
  });
};

const disconnectKnownClient = async (own: ConnectionContext, clientId: ClientId): Promise<void> => {
  const client = getClientById(clientId);
  const found = await readClientSettings(own, client);
  const entry = getOwnEntry(client, found);
  if (entry === null || found.text === null) return;
  const before = await readOriginalSettings(client, found).catch(() => undefined);
  const text = before === undefined ? removeSettingsEntry(toSettingsShape(client), found.text) : before;
  await replaceSettingsFile(found, { text, copy: 'remove' });
  await revokeEntryPairing(own, entry);
};

export const createClientConnections = (parts: ConnectionParts) => {
  let opening: Promise<Secrets> | undefined;
  const own: ConnectionContext = { ...parts, plans: new Map(), secrets: () => (opening ??= parts.openSecrets()) };
  return {
    list: () => listInstalledClients(own),
    plan: (clientId: ClientId) => planClientConnection(own, clientId),
    connect: async (clientId: ClientId, planId: string) => {
      await connectPlannedClient(own, clientId, planId);
      return listInstalledClients(own);
    },
    disconnect: async (clientId: ClientId) => {
      await disconnectKnownClient(own, clientId);
      return listInstalledClients(own);
    },
  };
};

type HandlerParts = {
  companion: Companion;
  bridgeUrl: () => string;
  start: StartCommand;
  place: DataPlace;
  bundle: { file: string; version: string };
};

const readClientBundle = async ({ file, version }: HandlerParts['bundle']): Promise<ClientBundle> => {
  try {
    return { name: `listing-companion-${version}.mcpb`, base64: await readFile(file, 'base64') };
  } catch (error) {
    throw createProblem('BUNDLE_MISSING', { cause: error });
  }
};

export const createClientHandlers = ({
  companion,
  bridgeUrl,
  start,
  place,
  bundle,
}: HandlerParts): Pick<CallHandlers, Extract<keyof CallHandlers, `clients.${string}`>> => {
  const places = { platform: process.platform, home: homedir(), env: process.env };
  const command = createMcpCommand(start, place);
  const folder = { dataDir: place.dataDir, ownData: mustPassDataDir(place) };
  const connections = createClientConnections({
    ...{ places, command, folder, assistants: companion.assistants, recordWritten: companion.recordClientWritten },
    // The command line opens the keychain with the same `place` and `folder`, so it finds these tokens.
    openSecrets: () => openAssistantKeychain({ ...place, ...folder }),
  });
  return {
    'clients.snippets': async () => createClientSnippets(bridgeUrl(), command, places),
    'clients.bundle': () => readClientBundle(bundle),
    'clients.list': connections.list,
    'clients.plan': ({ clientId }) => connections.plan(clientId),
    'clients.connect': ({ clientId, planId }) => connections.connect(clientId, planId),
    'clients.disconnect': ({ clientId }) => connections.disconnect(clientId),
  };
};
