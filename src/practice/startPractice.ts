import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createHash } from 'node:crypto';
import type { Server } from 'node:http';
import { createClock } from './clock.ts';
import { openDatabase, all, atomically, count, one, run } from './database.ts';
import { routeRecords } from '../contract/project/routeRecords.ts';
import { closeWithAll, lazyHandler, createServer, oneAtATime } from '../loopback/http.ts';
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
    clock: createClock(db, config.now ?? Date.now),
    writer: config.writer,
    url,
    photosDir,
    version: config.version ?? versionOfTable(),
    report: config.report ?? ((error) => console.error(error)),
    writerOverrides: { delayMs: 0, fail: null },
    feeOverrides: { extraMinor: 0 },
    disruptions: noDisruptions,
    mailsWaiting: 0,
    settingUp: new Map(),
    recentCalls: new Map(),
    writing: new Map(),
  };
};

/** Answers the port that the server listens on. */
const listen = (server: Server, port: number, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });

/** Starts the practice service on loopback. Listings that were being written when it stopped are written again. */
export const startPractice = async (config: PracticeConfig): Promise<Practice> => {
  const host = config.host ?? '127.0.0.1';
  let port = config.port ?? 0;
  const world = openWorld(config, () => `http://${host}:${port}`);
  const answer = lazyHandler(async () =>
    (await import('./server/app.ts')).createApp(world, createFaults(), () => port),
  );
  const server = createServer(oneAtATime((request, response) => void answer(request, response)));
  const closeServer = closeWithAll(server);
  try {
    await sweepFiles(world);
    port = await listen(server, port, host);
  } catch (error) {
    world.db.close();
    throw error;
  }
  resumeWriting(world);
  let closing: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    await closeServer();
    await stopWriting(world);
    world.db.close();
  };
  return {
    url: world.url(),
    person: (wanted) => putPersonWithShop(world, personInput.parse(wanted)),
    addresses: () => addressesOf(world),
    remove: (email) => removePerson(world, email),
    close: () => (closing ??= stop()),
  };
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
