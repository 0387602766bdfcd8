import { arch, cpus, freemem, release, totalmem, type } from 'node:os';
import type { AppState } from '../core/companion/appState.ts';
import type { RunningWork } from '../core/storage/runningItems.ts';
import type { SavedFile } from '../ipc/shell.ts';
import { type HostLog, redactLogText } from './createLog.ts';
import type { Crash } from './shell.ts';

type DiagnosticsParts = {
  state: AppState;
  work: RunningWork;
  crashes: readonly Crash[];
  log: Pick<HostLog, 'newest'>;
  at: number;
};

const newestLines = 500;
const toMegabytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);

/** The person sends this file to support, so it must not contain names, listings, photos, keys or addresses. */
export const createDiagnosticsFile = async ({
  state,
  work,
  crashes,
  log,
  at,
}: DiagnosticsParts): Promise<SavedFile> => {
  const facts = {
    madeAt: new Date(at).toISOString(),
    companion: state.version,
    system: { type: type(), release: release(), arch: arch(), cores: cpus().length, memoryMb: toMegabytes(totalmem()) },
    runtime: { ...pickNamedVersions(process.versions, ['node', 'electron', 'chrome', 'v8', 'sqlite']) },
    memoryMb: { own: toMegabytes(process.memoryUsage.rss()), free: toMegabytes(freemem()) },
    service: state.service.kind,
    connection: state.connection,
    offline: state.offline !== null,
    keychain: state.keychain,
    plan: state.person?.plan ?? null,
    // The path of a folder often contains a person's name.
    settings: {
      ...state.settings,
      watchFolder: state.settings.watchFolder === null ? 'none' : 'chosen',
      // The person writes patterns, so they might contain a name.
      ...{ skuPattern: 'hidden', folderPattern: 'hidden' },
    },
    waitingApprovals: state.waitingApprovals,
    paused: state.paused,
    work,
    crashes,
    log: (await log.newest(newestLines)).map(redactLogText),
  };
  const day = facts.madeAt.slice(0, 10);
  return {
    name: `listing-companion-diagnostics-${day}.json`,
    type: 'application/json',
    text: JSON.stringify(facts, null, 2),
  };
};

const pickNamedVersions = (from: NodeJS.ProcessVersions, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
