import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createHash } from 'node:crypto';
import { createClock, steadyMachineTime } from './clock.ts';
import { openDatabase, all, atomically, count, one, run } from './database.ts';
import { routeRecords } from '../contract/project/routeRecords.ts';
import { closeWithAll, lazyHandler, listen, createServer, oneAtATime, type Serve } from '../loopback/http.ts';
import { personInput, putPersonWithShop, type WantedPerson } from './controls/people.ts';
import { createFaults } from './server/faults.ts';
import { sweepFiles, removeFiles } from './world/listings/photos.ts';
import { resumeWriting, stopWriting } from './world/listings/generation.ts';
import { noDisruptions } from './world/disruptions.ts';
import { addressesOf, findPersonByEmail } from './world/people.ts';
import type { World } from './world/world.ts';
import type { Writer } from './writer/writer.ts';
import * as z from 'zod';

/**
 * Creates a folder and its parents. Node's `recursive` option hangs in file systems that accept no folders, such as
 * /proc.
 */
const makeFolder = (path: string): void => {
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) throw Object.assign(new Error(`${path} is no folder.`), { code: 'ENOTDIR' });
    return;
  }
  if (dirname(path) !== path) makeFolder(dirname(path));
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

export type Practice = {
  url: string;
  /** Works like `POST /practice/people`: creates a person, or a new key for an existing person. */
  person: (wanted: WantedPerson) => Promise<{ userId: string; agentKey: string; keyId: string }>;
  addresses: () => string[];
  /**
   * Deletes a person and their data. Returns false without deleting anything while one of their listings is being
   * written.
   */
  remove: (email: string) => Promise<boolean>;
  close: () => Promise<void>;
};

/** Returns a build identifier that changes when the routes change. */
const versionOfTable = (): string =>
  `practice-${createHash('sha256').update(JSON.stringify(routeRecords())).digest('hex').slice(0, 12)}`;

const openWorld = (config: PracticeConfig, url: () => string): World => {
  const photosDir = join(config.dataDir, 'photos');
  makeFolder(photosDir);
  const db = openDatabase(join(config.dataDir, 'practice.sqlite'));
  return {
    db,
    clock: createClock(db, config.now ?? steadyMachineTime()),
    writer: config.writer,
    url,
    photosDir,
    version: config.version ?? versionOfTable(),
    report: config.report ?? ((error) => console.error(error)),
    writerOverrides: { delayMs: 0, fail: null, answersWritten: false },
    feeOverrides: { extraMinor: 0 },
    disruptions: noDisruptions,
    mailsWaiting: 0,
    settingUp: new Map(),
    recentCalls: new Map(),
    writing: new Map(),
  };
};

const loopback = '127.0.0.1';

const addressOf = (port: number, { host = loopback }: Pick<PracticeConfig, 'host'>): string => `http://${host}:${port}`;

/** A practice service without its own listener; the host routes requests to `serve`. */
export type PracticeService = Omit<Practice, 'url'> & {
  serve: Serve;
  /**
   * Resumes the listings that were being written at shutdown. Call it once the service answers, because the photos have
   * addresses there.
   */
  resume: () => void;
};

/** Opens a practice service without listening. The port may become known later. */
export const openPractice = async (config: PracticeConfig, port: () => number): Promise<PracticeService> => {
  const world = openWorld(config, () => addressOf(port(), config));
  const app = lazyHandler(async () => (await import('./server/app.ts')).createApp(world, createFaults(), port));
  try {
    await sweepFiles(world);
  } catch (error) {
    world.db.close();
    throw error;
  }
  return {
    serve: (request, response) => void app(request, response),
    resume: () => resumeWriting(world),
    person: (wanted) => putPersonWithShop(world, personInput.parse(wanted)),
    addresses: () => addressesOf(world),
    remove: (email) => removePerson(world, email),
    close: async () => {
      await stopWriting(world);
      world.db.close();
    },
  };
};

/** Starts the practice service on loopback and resumes the listings that were being written at shutdown. */
export const startPractice = async (config: PracticeConfig): Promise<Practice> => {
  let port = config.port ?? 0;
  const { serve, resume, ...service } = await openPractice(config, () => port);
  const server = createServer(oneAtATime(serve));
  const closeServer = closeWithAll(server);
  try {
    port = await listen(server, port, config.host);
  } catch (error) {
    await service.close();
    throw error;
  }
  resume();
  let closing: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    await closeServer();
    await service.close();
  };
  return { ...service, url: addressOf(port, config), close: () => (closing ??= stop()) };
};

const tableRow = z.object({ name: z.string() });
const fileRow = z.object({ file: z.string() });

/** Lists every table with a `userId` column. `people` comes last because other tables reference it. */
const tablesOfPeople = ({ db }: World): string[] =>
  all(
    db,
    tableRow,
    `SELECT tables.name FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
     WHERE tables.type = 'table' AND columns.name = 'userId' ORDER BY tables.name = 'people', tables.name`,
  ).map(({ name }) => name);

/**
 * Deletes a person and their data in one transaction. Returns false without deleting anything while one of their
 * listings is being written. Photo files left over after a crash have no row and are deleted at the next start.
 */
const removePerson = async (world: World, email: string): Promise<boolean> => {
  const person = findPersonByEmail(world, email);
  if (!person) return true;
  const { userId } = person;
  const inWork = "SELECT COUNT(*) AS n FROM listings WHERE userId = ? AND status = 'processing'";
  if ((one(world.db, count, inWork, userId)?.n ?? 0) > 0) return false;
  const ofListings = 'SELECT file FROM photos WHERE listingId IN (SELECT listingId FROM listings WHERE userId = ?)';
  const files = all(world.db, fileRow, ofListings, userId).map(({ file }) => file);
  atomically(world.db, () => {
    for (const table of tablesOfPeople(world)) run(world.db, `DELETE FROM ${table} WHERE userId = ?`, userId);
    run(world.db, 'DELETE FROM mails WHERE sentTo = ?', person.email);
    run(world.db, 'DELETE FROM challenges WHERE email = ?', person.email);
  });
  await removeFiles(world, files);
  return true;
};
