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

/** Makes a folder and those above it. Node's own recursive way never returns in places that take no folders, as /proc. */
const makeFolder = (path: string): void => {
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) throw Object.assign(new Error(`${path} is no folder.`), { code: 'ENOTDIR' });
    return;
  }
  if (dirname(path) !== path) makeFolder(dirname(path));
  mkdirSync(path);
};

/** What a practice service is started with. */
export type PracticeConfig = {
  /** Where the service keeps its database and photos; made when it is not there. */
  dataDir: string;
  /** 0, or nothing, takes a free port. */
  port?: number;
  host?: '127.0.0.1';
  /** Who writes listings. Whoever made it closes it. */
  writer: Writer;
  /** The machine's time; the service's own clock begins with it. */
  now?: () => number;
  version?: string;
  /** Hears of faults of the service itself; the standard error stream when it is not given. */
  report?: (error: unknown) => void;
};

/** A running service: where it is reached, and how it is stopped. */
export type Practice = {
  url: string;
  /** As `POST /practice/people` does: makes a person, or a new key for one who is there. */
  person: (wanted: WantedPerson) => Promise<{ userId: string; agentKey: string; keyId: string }>;
  /** The addresses of everybody with an account. */
  addresses: () => string[];
  /** Forgets a person with everything of theirs; false, and nothing, while something of theirs is being written. */
  remove: (email: string) => Promise<boolean>;
  close: () => Promise<void>;
};

/** A build identifier without a meaning of its own: it changes when the routes do. */
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

/** What answers at the address of a practice service, and what its host does there without a request. */
export type PracticeService = Omit<Practice, 'url'> & {
  serve: Serve;
  /** Goes on with the listings that were being written when it stopped; once it answers, as their photos have addresses there. */
  resume: () => void;
};

/** Opens what answers at a port, which may be known only later. Nobody listens there for it. */
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

/** Starts the practice service on loopback. Listings that were being written when it stopped are written again. */
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

/** Every table with something of a person, those that are kept by nobody else's rows first. */
const tablesOfPeople = ({ db }: World): string[] =>
  all(
    db,
    tableRow,
    `SELECT tables.name FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
     WHERE tables.type = 'table' AND columns.name = 'userId' ORDER BY tables.name = 'people', tables.name`,
  ).map(({ name }) => name);

/**
 * Forgets a person with everything of theirs, as if they had never been. Not while one of their listings is being written:
 * then nothing happens, and the answer is false. The rows go together; files that are left after an end in the middle have no
 * row any more, and go at the next start.
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
