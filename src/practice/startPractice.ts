import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createHash } from 'node:crypto';
import { createServiceClock, createSteadyTimeReader } from './clock.ts';
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
  serveSequentially,
  type ServeRequest,
} from '../loopback/http.ts';
import { personInput, savePersonAndFillShop, type PracticePersonInput } from './controls/people.ts';
import { createFaultList } from './server/faults.ts';
import { removeOrphanedFiles, removePhotoFiles } from './world/listings/photos.ts';
import { resumeInterruptedGenerations, abortAllGenerations } from './world/listings/generation.ts';
import { noDisruptions } from './world/disruptions.ts';
import { listPersonAddresses, findPersonByEmail } from './world/people.ts';
import type { World } from './world/world.ts';
import type { Writer } from './writer/writer.ts';
import * as z from 'zod';

/**
 * Creates the parent folders one by one, because Node's `recursive` option hangs in a file system that accepts no
 * folders, such as /proc.
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
  dataDir: string;
  /** 0 or undefined chooses a free port. */
  port?: number;
  host?: '127.0.0.1';
  /** The caller must close the writer. */
  writer: Writer;
  now?: () => number;
  version?: string;
  report?: (error: unknown) => void;
};

export type RunningPractice = {
  url: string;
  person: (input: PracticePersonInput) => Promise<{ userId: string; agentKey: string; keyId: string }>;
  addresses: () => string[];
  /**
   * Deletes a person and their data. Returns false and deletes nothing while one of their listings is being written.
   */
  remove: (email: string) => Promise<boolean>;
  close: () => Promise<void>;
};

/** The identifier changes if the routes change. */
const createBuildIdentifier = (): string =>
  `practice-${createHash('sha256').update(JSON.stringify(listRouteRecords())).digest('hex').slice(0, 12)}`;

const openPracticeWorld = (config: PracticeConfig, url: () => string): World => {
  const photosDir = join(config.dataDir, 'photos');
  createFolderTree(photosDir);
  const db = openMigratedDatabase(join(config.dataDir, 'practice.sqlite'));
  return {
    db,
    clock: createServiceClock(db, config.now ?? createSteadyTimeReader()),
    writer: config.writer,
    url,
    photosDir,
    version: config.version ?? createBuildIdentifier(),
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

export type PracticeService = Omit<RunningPractice, 'url'> & {
  serve: ServeRequest;
  /** Loads the code that answers requests, which otherwise blocks everything at the first request. */
  load: () => Promise<void>;
  /**
   * Resumes the writing of listings that a shutdown interrupted. Call it when the service already listens, because the
   * writer uses the URLs of photos.
   */
  resumeWriting: () => void;
};

/**
 * Opens a practice service that does not listen itself. `port` is a function, because the port can become known later.
 */
export const openPracticeService = async (config: PracticeConfig, port: () => number): Promise<PracticeService> => {
  const world = openPracticeWorld(config, () => formatServiceUrl(port(), config));
  const app = createLazyHandler(async () =>
    (await import('./server/app.ts')).createPracticeApp(world, createFaultList(), port),
  );
  try {
    await removeOrphanedFiles(world);
  } catch (error) {
    world.db.close();
    throw error;
  }
  return {
    serve: (request, response) => void app(request, response),
    load: app.load,
    resumeWriting: () => resumeInterruptedGenerations(world),
    person: (input) => savePersonAndFillShop(world, personInput.parse(input)),
    addresses: () => listPersonAddresses(world),
    remove: (email) => deletePersonData(world, email),
    close: async () => {
      await abortAllGenerations(world);
      world.db.close();
    },
  };
};

/** Starts the practice service on loopback and resumes the listings that were being written at shutdown. */
export const startPracticeService = async (config: PracticeConfig): Promise<RunningPractice> => {
  let port = config.port ?? 0;
  const { serve, load: _load, resumeWriting, ...service } = await openPracticeService(config, () => port);
  const server = createServer(serveSequentially(serve));
  const closeServer = createServerCloser(server);
  try {
    port = await listenOnPort(server, port, config.host);
  } catch (error) {
    await service.close();
    throw error;
  }
  resumeWriting();
  let closing: Promise<void> | null = null;
  const closeServerAndService = async (): Promise<void> => {
    await closeServer();
    await service.close();
  };
  return { ...service, url: formatServiceUrl(port, config), close: () => (closing ??= closeServerAndService()) };
};

const tableRow = z.object({ name: z.string() });
const fileRow = z.object({ file: z.string() });

/** Returns the tables in the order of deletion: `people` comes last, because other tables refer to it. */
const listTablesWithUserId = ({ db }: World): string[] =>
  selectAllRows(
    db,
    tableRow,
    `SELECT tables.name FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
     WHERE tables.type = 'table' AND columns.name = 'userId' ORDER BY tables.name = 'people', tables.name`,
  ).map(({ name }) => name);

/**
 * Returns false and deletes nothing while a listing of the person is being written. If a crash leaves photo files
 * without a row, the next start deletes them.
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
    for (const table of listTablesWithUserId(world))
      runStatement(world.db, `DELETE FROM ${table} WHERE userId = ?`, userId);
    runStatement(world.db, 'DELETE FROM mails WHERE sentTo = ?', person.email);
    runStatement(world.db, 'DELETE FROM challenges WHERE email = ?', person.email);
  });
  await removePhotoFiles(world, files);
  return true;
};
