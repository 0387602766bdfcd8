import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createHash } from 'node:crypto';
import { createServiceClock, createSteadyMachineTime } from './clock.ts';
import {
  openMigratedDatabase,
  selectAllRows,
  runInTransaction,
  countRow,
  selectFirstRow,
  runStatement,
} from './database.ts';
import { listRouteRecords } from '../contract/project/routeRecords.ts';
import {
  createServerCloser,
  createLazyHandler,
  listenOnPort,
  createServer,
  serveOneAtATime,
  type ServeRequest,
} from '../loopback/http.ts';
import { personInput, putPersonWithShop, type PracticePersonInput } from './controls/people.ts';
import { createFaultList } from './server/faults.ts';
import { sweepOrphanedFiles, removePhotoFiles } from './world/listings/photos.ts';
import { resumeInterruptedWritings, abortAllWritings } from './world/listings/generation.ts';
import { noDisruptions } from './world/disruptions.ts';
import { listPersonAddresses, findPersonByEmail } from './world/people.ts';
import type { World } from './world/world.ts';
import type { Writer } from './writer/writer.ts';
import * as z from 'zod';

/**
 * Creates a folder and its parents. Node's `recursive` option hangs in file systems that accept no folders, such as
 * /proc.
 */
const createFolderTree = (path: string): void => {
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) throw Object.assign(new Error(`${path} is no folder.`), { code: 'ENOTDIR' });
    return;
  }
  if (dirname(path) !== path) createFolderTree(dirname(path));
  mkdirSync(path);
};

export type PracticeConfig = {
  /** The folder for the database and photos; created if missing. */
  dataDir: string;
  /** 0 or undefined picks a free port. */
  port?: number;
  host?: '127.0.0.1';
  /** Writes the listings. The caller that created it closes it. */
  writer: Writer;
  /** Returns the machine's time; the service's clock starts from it. */
  now?: () => number;
  version?: string;
  /** Receives internal errors of the service; the default writes to stderr. */
  report?: (error: unknown) => void;
};

export type RunningPractice = {
  url: string;
  /** Works like `POST /practice/people`: creates a person, or a new key for an existing person. */
  person: (input: PracticePersonInput) => Promise<{ userId: string; agentKey: string; keyId: string }>;
  addresses: () => string[];
  /**
   * Deletes a person and their data. Returns false without deleting anything while one of their listings is being
   * written.
   */
  remove: (email: string) => Promise<boolean>;
  close: () => Promise<void>;
};

/** Returns a build identifier that changes when the routes change. */
const hashRouteTable = (): string =>
  `practice-${createHash('sha256').update(JSON.stringify(listRouteRecords())).digest('hex').slice(0, 12)}`;

const openPracticeWorld = (config: PracticeConfig, url: () => string): World => {
  const photosDir = join(config.dataDir, 'photos');
  createFolderTree(photosDir);
  const db = openMigratedDatabase(join(config.dataDir, 'practice.sqlite'));
  return {
    db,
    clock: createServiceClock(db, config.now ?? createSteadyMachineTime()),
    writer: config.writer,
    url,
    photosDir,
    version: config.version ?? hashRouteTable(),
    report: config.report ?? ((error) => console.error(error)),
    writerOverrides: { delayMs: 0, fail: null, answersWritten: false },
    feeOverrides: { extraMinor: 0 },
    disruptions: noDisruptions,
    mailsWaiting: 0,
    accountsInSetUp: new Map(),
    recentCalls: new Map(),
    writing: new Map(),
  };
};

const loopback = '127.0.0.1';

const formatServiceUrl = (port: number, { host = loopback }: Pick<PracticeConfig, 'host'>): string =>
  `http://${host}:${port}`;

/** A practice service without its own listener; the host routes requests to `serve`. */
export type PracticeService = Omit<RunningPractice, 'url'> & {
  serve: ServeRequest;
  /**
   * Resumes the listings that were being written at shutdown. Call it once the service answers, because the photos have
   * addresses there.
   */
  resumeWriting: () => void;
};

/** Opens a practice service without listening. The port may become known later. */
export const openPracticeService = async (config: PracticeConfig, port: () => number): Promise<PracticeService> => {
  const world = openPracticeWorld(config, () => formatServiceUrl(port(), config));
  const app = createLazyHandler(async () =>
    (await import('./server/app.ts')).createPracticeApp(world, createFaultList(), port),
  );
  try {
    await sweepOrphanedFiles(world);
  } catch (error) {
    world.db.close();
    throw error;
  }
  return {
    serve: (request, response) => void app(request, response),
    resumeWriting: () => resumeInterruptedWritings(world),
    person: (input) => putPersonWithShop(world, personInput.parse(input)),
    addresses: () => listPersonAddresses(world),
    remove: (email) => deletePersonData(world, email),
    close: async () => {
      await abortAllWritings(world);
      world.db.close();
    },
  };
};

/** Starts the practice service on loopback and resumes the listings that were being written at shutdown. */
export const startPracticeService = async (config: PracticeConfig): Promise<RunningPractice> => {
  let port = config.port ?? 0;
  const { serve, resumeWriting: resume, ...service } = await openPracticeService(config, () => port);
  const server = createServer(serveOneAtATime(serve));
  const closeServer = createServerCloser(server);
  try {
    port = await listenOnPort(server, port, config.host);
  } catch (error) {
    await service.close();
    throw error;
  }
  resume();
  let closing: Promise<void> | null = null;
  const closeServerAndService = async (): Promise<void> => {
    await closeServer();
    await service.close();
  };
  return { ...service, url: formatServiceUrl(port, config), close: () => (closing ??= closeServerAndService()) };
};

const tableRow = z.object({ name: z.string() });
const fileRow = z.object({ file: z.string() });

/** Lists every table with a `userId` column. `people` comes last because other tables reference it. */
const listTablesOfPeople = ({ db }: World): string[] =>
  selectAllRows(
    db,
    tableRow,
    `SELECT tables.name FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
     WHERE tables.type = 'table' AND columns.name = 'userId' ORDER BY tables.name = 'people', tables.name`,
  ).map(({ name }) => name);

/**
 * Deletes a person and their data in one transaction. Returns false without deleting anything while one of their
 * listings is being written. Photo files left over after a crash have no row and are deleted at the next start.
 */
const deletePersonData = async (world: World, email: string): Promise<boolean> => {
  const person = findPersonByEmail(world, email);
  if (!person) return true;
  const { userId } = person;
  const countInWork = "SELECT COUNT(*) AS n FROM listings WHERE userId = ? AND status = 'processing'";
  if ((selectFirstRow(world.db, countRow, countInWork, userId)?.n ?? 0) > 0) return false;
  const selectPhotoFiles =
    'SELECT file FROM photos WHERE listingId IN (SELECT listingId FROM listings WHERE userId = ?)';
  const files = selectAllRows(world.db, fileRow, selectPhotoFiles, userId).map(({ file }) => file);
  runInTransaction(world.db, () => {
    for (const table of listTablesOfPeople(world))
      runStatement(world.db, `DELETE FROM ${table} WHERE userId = ?`, userId);
    runStatement(world.db, 'DELETE FROM mails WHERE sentTo = ?', person.email);
    runStatement(world.db, 'DELETE FROM challenges WHERE email = ?', person.email);
  });
  await removePhotoFiles(world, files);
  return true;
};
