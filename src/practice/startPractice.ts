import { createHash } from 'node:crypto';

import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type * as z from 'zod';
import { createClock } from './clock.ts';
import { openDatabase } from './database.ts';
import { makeFolder } from './makeFolder.ts';
import { routeRecords } from '../contract/project/routeRecords.ts';
import { closeWithAll } from '../loopback/closeWithAll.ts';
import { fromFirstUse } from '../loopback/fromFirstUse.ts';
import { createServer } from '../loopback/http.ts';
import { oneAtATime } from '../loopback/oneAtATime.ts';
import { placePerson, placing } from './controls/placePerson.ts';
import { createFaults } from './server/faults.ts';
import { sweepFiles } from './world/photos.ts';
import { resumeWriting, stopWriting } from './world/writing.ts';
import type { World } from './world/world.ts';
import type { Writer } from './writer/writer.ts';

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

export type Practice = {
  url: string;
  /** As `POST /practice/people` does: makes a person, or a new key for one who is there. */
  person: (wanted: z.input<typeof placing>) => ReturnType<typeof placePerson>;
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
    writerOrders: { delayMs: 0, fail: null },
    feeOrders: { extraMinor: 0 },
    writing: new Map(),
  };
};

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });

/** Starts the practice service on loopback. Listings that were being written when it stopped are written again. */
export const startPractice = async (config: PracticeConfig): Promise<Practice> => {
  const host = config.host ?? '127.0.0.1';
  let port = config.port ?? 0;
  const world = openWorld(config, () => `http://${host}:${port}`);
  const answer = fromFirstUse(async () =>
    (await import('./server/app.ts')).createApp(world, createFaults(), () => port),
  );
  const server = createServer(oneAtATime((request, response) => void answer(request, response)));
  const closeServer = closeWithAll(server);
  try {
    await sweepFiles(world);
    await listen(server, port, host);
  } catch (error) {
    world.db.close();
    throw error;
  }
  port = (server.address() as AddressInfo).port;
  resumeWriting(world);
  let closing: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    await closeServer();
    await stopWriting(world);
    world.db.close();
  };
  return {
    url: world.url(),
    person: (wanted) => placePerson(world, placing.parse(wanted)),
    close: () => (closing ??= stop()),
  };
};
