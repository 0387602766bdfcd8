import { mkdirSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { toProblemView } from '../../core/base/problem.ts';
import type { Log } from '../../core/base/ports.ts';
import type { StoppablePart } from '../../core/base/stopParts.ts';
import type { PracticePerson, PracticeRequest } from '../../core/companion/coreServices.ts';
import type { Companion } from '../../core/companion/createCompanion.ts';
import {
  createServerCloser,
  createServer,
  listenOnPort,
  serveSequentially,
  getServerPort,
  getSystemErrorCode,
  type ServeRequest,
} from '../../loopback/http.ts';
import { systemDisk, type Disk } from '../../disk/disk.ts';
import { writeWhole } from '../../disk/writeWhole.ts';
import type { PracticeService } from '../../practice/startPractice.ts';

export type EmbeddedPractice = Pick<PracticeService, 'serve' | 'load' | 'close'> & {
  person: (wish: PracticeRequest) => Promise<PracticePerson>;
  createBackgroundParts: (companion: Companion, bridgeUrl: string) => StoppablePart[];
};

const readLastPort = (file: string): number => {
  try {
    const text = readFileSync(file, 'utf8');
    return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535 ? Number(text) : 0;
  } catch {
    return 0;
  }
};

const isPortTaken = (error: unknown): boolean => ['EADDRINUSE', 'EACCES'].includes(getSystemErrorCode(error) ?? '');

/** An approval is bound to a listing whose URLs contain the port, so a new port would make the approval invalid. */
const listenOnLastPort = async (
  server: Server,
  { dataDir, disk, log }: Pick<ListenerContext, 'dataDir' | 'disk' | 'log'>,
): Promise<void> => {
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, 'port');
  const last = readLastPort(file);
  const port = await listenOnPort(server, last).catch((error: unknown) => {
    if (last === 0 || !isPortTaken(error)) throw error;
    return listenOnPort(server, 0);
  });
  if (port === last) return;
  // Ignore a failure to store the port, because it only means that the URLs change with the next run.
  await writeWhole(file, String(port), { disk }).catch((error: unknown) =>
    log('warn', 'practice service port not stored', { code: toProblemView(error).code }),
  );
};

type ListenerContext = {
  dataDir: string;
  open: (port: number) => Promise<EmbeddedPractice>;
  /** True to open the service at once, so that a failure of the service also fails the start. */
  isOpen?: boolean;
  log: Log;
  disk?: Disk;
};

/** If the background work fails, the companion continues without it. */
const startPartsAfterDrawing = (
  begin: () => Promise<StoppablePart[]>,
  drawn: Promise<void>,
  log: Log,
): StoppablePart => {
  let isStopped = false;
  let begun: Promise<StoppablePart[]> = Promise.resolve([]);
  void drawn.then(() => {
    if (isStopped) return;
    begun = begin().catch((error: unknown) => {
      log('error', 'the practice service could not be opened', { code: toProblemView(error).code });
      return [];
    });
  });
  const stop = async (): Promise<void> => {
    isStopped = true;
    for (const part of await begun) await part.stop();
  };
  return { name: 'practice background work', stop };
};

export type PracticeListener = Awaited<ReturnType<typeof openPracticeListener>>;

/** The first request loads the service and its database, so that the start stays fast. */
export const openPracticeListener = async ({
  dataDir,
  open,
  isOpen = false,
  log,
  disk = systemDisk,
}: ListenerContext) => {
  let opening: Promise<EmbeddedPractice> | undefined;
  // The cause of a failure can be temporary, such as a full disk, so the next request retries.
  const openPracticeOnce = (): Promise<EmbeddedPractice> =>
    (opening ??= open(getServerPort(server)).catch((error: unknown) => {
      opening = undefined;
      throw error;
    }));
  const servePracticeRequest: ServeRequest = (request, response) =>
    void openPracticeOnce().then(
      (service) => service.serve(request, response),
      (error: unknown) => {
        log('error', 'the practice service could not be opened', { code: toProblemView(error).code });
        response.destroy();
      },
    );
  const server = createServer(serveSequentially(servePracticeRequest));
  const closeServer = createServerCloser(server);
  await listenOnLastPort(server, { dataDir, disk, log });
  if (isOpen)
    await openPracticeOnce().catch(async (error: unknown) => {
      await closeServer();
      throw error;
    });
  const stop = async (): Promise<void> => {
    await closeServer();
    await opening?.then(
      ({ close }) => close(),
      () => undefined,
    );
  };
  return {
    url: `http://127.0.0.1:${getServerPort(server)}`,
    person: async (wish: PracticeRequest): Promise<PracticePerson> => (await openPracticeOnce()).person(wish),
    createBackgroundPart: (
      companion: Companion,
      bridgeUrl: string,
      drawn: Promise<void> = Promise.resolve(),
    ): StoppablePart =>
      startPartsAfterDrawing(
        async () => {
          const service = await openPracticeOnce();
          await service.load();
          return service.createBackgroundParts(companion, bridgeUrl);
        },
        drawn,
        log,
      ),
    part: { name: 'practice service', stop } satisfies StoppablePart,
  };
};
