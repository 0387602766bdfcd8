import { mkdirSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { problemView } from '../../core/base/problem.ts';
import type { Log } from '../../core/base/ports.ts';
import type { Part } from '../../core/base/stopParts.ts';
import type { PracticePerson, PracticeRequest } from '../../core/companion/coreServices.ts';
import type { Companion } from '../../core/companion/createCompanion.ts';
import {
  closeWithAll,
  createServer,
  listen,
  oneAtATime,
  portOf,
  systemCodeOf,
  type Serve,
} from '../../loopback/http.ts';
import { systemDisk, type Disk } from '../../disk/disk.ts';
import { writeWhole } from '../../disk/writeWhole.ts';
import type { PracticeService } from '../../practice/startPractice.ts';

/** The practice service after it is loaded. */
export type Inside = Pick<PracticeService, 'serve' | 'close'> & {
  person: (wish: PracticeRequest) => Promise<PracticePerson>;
  /** Starts the background work of the practice service for a companion. */
  around: (companion: Companion, bridgeUrl: string) => Part[];
};

/** Returns the port of the last run; 0 if no valid port is stored. */
const lastPort = (file: string): number => {
  try {
    const text = readFileSync(file, 'utf8');
    return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535 ? Number(text) : 0;
  } catch {
    return 0;
  }
};

const isTaken = (error: unknown): boolean => ['EADDRINUSE', 'EACCES'].includes(systemCodeOf(error) ?? '');

/**
 * Listens on the port of the last run, or on a free port if another program uses it. The URLs of live pages and photos
 * contain the port, and an approval that outlives a restart is bound to a listing with these URLs.
 */
const listenOnLastPort = async (
  server: Server,
  { dataDir, disk, log }: Pick<DoorContext, 'dataDir' | 'disk' | 'log'>,
): Promise<void> => {
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, 'port');
  const last = lastPort(file);
  const port = await listen(server, last).catch((error: unknown) => {
    if (last === 0 || !isTaken(error)) throw error;
    return listen(server, 0);
  });
  if (port === last) return;
  // If the port cannot be stored, only the URLs of the next run change.
  await writeWhole(file, String(port), { disk }).catch((error: unknown) =>
    log('warn', 'practice service port not stored', { code: problemView(error).code }),
  );
};

type DoorContext = {
  /** The folder with the state of the service and its last port. */
  dataDir: string;
  open: (port: number) => Promise<Inside>;
  /** Whether to open the service immediately, so that the start fails if it cannot be opened. */
  isOpen?: boolean;
  log: Log;
  disk?: Disk;
};

/** Starts the background work after the window is drawn. A failure is logged and does not affect anything else. */
const beginLater = (begin: () => Promise<Part[]>, drawn: Promise<void>, log: Log): Part => {
  let isStopped = false;
  let begun: Promise<Part[]> = Promise.resolve([]);
  void drawn.then(() => {
    if (isStopped) return;
    begun = begin().catch((error: unknown) => {
      log('error', 'the practice service could not be opened', { code: problemView(error).code });
      return [];
    });
  });
  const stop = async (): Promise<void> => {
    isStopped = true;
    for (const part of await begun) await part.stop();
  };
  return { name: 'practice background work', stop };
};

export type PracticeDoor = Awaited<ReturnType<typeof openPracticeDoor>>;

/**
 * Listens for the practice service inside this process. To keep the start fast, the service with its routes and its
 * database is loaded by the first request, or after the window is drawn.
 */
export const openPracticeDoor = async ({ dataDir, open, isOpen = false, log, disk = systemDisk }: DoorContext) => {
  let opening: Promise<Inside> | undefined;
  // The cause of a failure may be temporary, such as a full disk, so the next request retries.
  const inside = (): Promise<Inside> =>
    (opening ??= open(portOf(server)).catch((error: unknown) => {
      opening = undefined;
      throw error;
    }));
  const serve: Serve = (request, response) =>
    void inside().then(
      (service) => service.serve(request, response),
      (error: unknown) => {
        log('error', 'the practice service could not be opened', { code: problemView(error).code });
        response.destroy();
      },
    );
  const server = createServer(oneAtATime(serve));
  const closeServer = closeWithAll(server);
  await listenOnLastPort(server, { dataDir, disk, log });
  if (isOpen)
    await inside().catch(async (error: unknown) => {
      await closeServer();
      throw error;
    });
  const stop = async (): Promise<void> => {
    await closeServer();
    // A service that could not be opened needs no closing.
    await opening?.then(
      ({ close }) => close(),
      () => undefined,
    );
  };
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    person: async (wish: PracticeRequest): Promise<PracticePerson> => (await inside()).person(wish),
    /** Starts the background work of the service. */
    around: (companion: Companion, bridgeUrl: string, drawn: Promise<void> = Promise.resolve()): Part =>
      beginLater(async () => (await inside()).around(companion, bridgeUrl), drawn, log),
    part: { name: 'practice service', stop } satisfies Part,
  };
};
