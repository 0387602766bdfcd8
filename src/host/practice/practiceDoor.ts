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

/** The practice service of a host, once it is loaded. */
export type Inside = Pick<PracticeService, 'serve' | 'close'> & {
  person: (wish: PracticeRequest) => Promise<PracticePerson>;
  /** What goes on there by itself while a companion uses it. */
  around: (companion: Companion, bridgeUrl: string) => Part[];
};

/** The port of the last run; 0 where nothing that could be one is kept. */
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
 * Listens on the port of the last run, or on a free one where another program has that now. Live pages and photos have their
 * addresses there, and a question that waits over a restart is bound to the listing with them.
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
  // Where it cannot be kept, only the next run has other addresses.
  await writeWhole(file, String(port), { disk }).catch((error: unknown) =>
    log('warn', 'the port of the practice service cannot be kept', { code: problemView(error).code }),
  );
};

type DoorContext = {
  /** Where the service keeps its state, and where it last listened. */
  dataDir: string;
  /** Loads and opens what answers behind that port. */
  open: (port: number) => Promise<Inside>;
  /** Whether it is opened at once, as a start is to fail with it. */
  isOpen?: boolean;
  log: Log;
  disk?: Disk;
};

/** What goes on by itself, begun once the window is drawn. A failure there ends nothing else. */
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
  return { name: 'practice people', stop };
};

export type PracticeDoor = Awaited<ReturnType<typeof openPracticeDoor>>;

/**
 * The address of the practice service inside this process. The service itself, with its routes and its database, is loaded by
 * the first who comes, or once the window is drawn: a start does without it.
 */
export const openPracticeDoor = async ({ dataDir, open, isOpen = false, log, disk = systemDisk }: DoorContext) => {
  let opening: Promise<Inside> | undefined;
  // What kept it from opening may pass, as a full disk does: it is tried again for the next who comes.
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
    // One that could not be opened has nothing to close.
    await opening?.then(
      ({ close }) => close(),
      () => undefined,
    );
  };
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    person: async (wish: PracticeRequest): Promise<PracticePerson> => (await inside()).person(wish),
    /** Goes on with what the service does by itself. */
    around: (companion: Companion, bridgeUrl: string, drawn: Promise<void> = Promise.resolve()): Part =>
      beginLater(async () => (await inside()).around(companion, bridgeUrl), drawn, log),
    part: { name: 'practice service', stop } satisfies Part,
  };
};
