import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBridge } from '../../src/bridge/startBridge.ts';
import { createOutboundPolicy, type OutboundPolicy } from '../../src/core/service/outboundPolicy.ts';
import type { InputOf, Listing, RouteName } from '../../src/contract/index.ts';
import { createCompanion, type Companion, type CompanionConfig } from '../../src/core/companion/createCompanion.ts';
import { startDataThread } from '../../src/host/dataThread/startDataThread.ts';
import type { ApprovalView } from '../../src/core/storage/tables/approvalRecord.ts';
import type { ItemView, Step } from '../../src/core/storage/tables/itemRecord.ts';
import type { Notice, Random, Secrets } from '../../src/core/base/ports.ts';
import { copyCompanionDatabase } from './emptyDatabases.ts';
import { createDrawnFolder } from './photos/createDrawnFolder.ts';
import { pressYes, pressYesToRows } from './pressYes.ts';
import type { ShownPrompt } from '../../src/core/presence/windowSessions.ts';
import { createMemorySecrets } from './hosts/createMemorySecrets.ts';
import { startCachingKitchen } from './photos/startCachingKitchen.ts';
import { startTestPractice, type PersonOptions, type TestPractice, type TestPracticeOptions } from './practice.ts';
import { createTestClock, advanceUntil } from './testClock.ts';
import type { Outcome } from '../../src/core/base/request.ts';

export type World = Awaited<ReturnType<typeof startWorld>>;
type WorldOptions = {
  person?: PersonOptions | null;
  writer?: TestPracticeOptions['writer'];
  /**
   * A practice service shared with other worlds, which this world does not close. Without it the world starts its own.
   */
  practice?: TestPractice;
  /** The address of the next request instead of the practice service. */
  reach?: () => string | null;
  /** The addresses where photos may be read and uploaded besides the practice service. */
  outside?: OutboundPolicy;
  keychain?: Secrets['kind'];
  /** The practice person, if not the world's only person. */
  practicePerson?: (practice: TestPractice) => CompanionConfig['practicePerson'];
  /** Starts the process that decodes photos, if not the usual one. */
  startKitchen?: CompanionConfig['startPhotoProcess'];
  /** The jitter of the companion's times; by default the earliest time and the longest pause. */
  random?: Random;
  /** The dialog of the operating system; by default the host has none. */
  systemPrompt?: CompanionConfig['systemPrompt'];
  /** Starts the threads for work on much data, if not in the usual way. */
  startDataThread?: CompanionConfig['startDataThread'];
  collectGarbage?: () => void;
  /** The scrypt cost of a PIN; by default a cheap one. */
  pinCost?: number;
  /** Resolves when the opening window no longer needs the machine; without it the companion's start is not delayed. */
  calm?: Promise<void>;
};

/** Starts a practice service and a companion that is connected as a person who is ready to publish on MKT_US. */
export const startWorld = async (options: WorldOptions = {}) => {
  const practice = options.practice ?? (await startTestPractice(options.writer ? { writer: options.writer } : {}));
  const dataDir = await mkdtemp(join(tmpdir(), 'companion-'));
  copyCompanionDatabase(join(dataDir, 'companion.db'));
  const clock = createTestClock();
  const secrets = createMemorySecrets(options.keychain);
  const notices: Notice[] = [];
  const protectionNotices: Notice[] = [];
  const logs: string[] = [];
  const email = `seller-${Math.random().toString(36).slice(2)}@practice.example`;
  let current: Companion | null = null;

  /** Starts the companion, on a new folder if the data were moved there, or with another service. */
  const begin = async (at = dataDir, service?: CompanionConfig['service']): Promise<Companion> => {
    const made = await createCompanion(
      {
        dataDir: at,
        version: '0.0.0',
        service: service ?? {
          kind: 'practice',
          get url() {
            return options.reach?.() ?? practice.url;
          },
        },
        // Photos are stored at the practice service itself, even behind a gateway.
        outside: options.outside ?? createOutboundPolicy(() => practice.url),
        startPhotoProcess: options.startKitchen ?? startCachingKitchen,
        startDataThread: options.startDataThread ?? startDataThread,
        pinCost: options.pinCost ?? 2 ** 4,
        ...(options.collectGarbage ? { collectGarbage: options.collectGarbage } : {}),
        ...(options.systemPrompt ? { systemPrompt: options.systemPrompt } : {}),
        practicePerson:
          options.practicePerson?.(practice) ??
          (async () => ({
            ...(await practice.person({ email, plan: 'Starter', connected: true, site: 'MKT_US', ...options.person })),
            email,
          })),
      },
      {
        clock,
        random: options.random ?? (() => 0),
        secrets,
        notify: (notice) => (notice.kind === 'protection' ? protectionNotices : notices).push(notice),
        log: (_level, message, facts) => logs.push(`${message} ${JSON.stringify(facts ?? {})}`),
      },
    );
    current = made;
    await made.start(options.calm ?? null);
    return made;
  };
  const companion = (): Companion => {
    if (!current) throw new Error('The companion is not running.');
    return current;
  };
  const stop = async (): Promise<void> => {
    await current?.stop();
    current = null;
  };

  const folder = (name: string, photos = 2): Promise<string> =>
    createDrawnFolder(join(dataDir, 'photos of'), name, photos);

  const item = async (itemId: string, step: Step): Promise<ItemView> =>
    advanceUntil(
      clock,
      () => {
        const view = companion().items.get(itemId);
        if (view.stop) throw new Error(`The item stopped: ${view.stop.sentence}`);
        if (view.step === step) return view;
        // A story that drops the same drawn thing again means another thing.
        if (view.reviewReason === 'liveDuplicate') void companion().items.begin([itemId]);
        return null;
      },
      `${step} of the item`,
    );

  const perform = <N extends RouteName>(route: N, input: InputOf<N>): Promise<Outcome> =>
    companion().perform({ by: { kind: 'person' }, route, input: input });

  const world = {
    practice,
    clock,
    dataDir,
    /** Without the notices about weaker protection, which most stories raise by pairing an assistant. */
    notices,
    protectionNotices,
    logs,
    secrets,
    companion,
    begin,
    stop,
    folder,
    item,
    perform,
    until: <T>(look: () => T | Promise<T>, what?: string) => advanceUntil(clock, look, what),
    /** Drops a folder and waits for an item in review. */
    reviewed: async (name = 'blue shoes', photos = 2): Promise<ItemView & { listingId: string }> => {
      const { itemIds } = await companion().add({ kind: 'paths', paths: [await folder(name, photos)] });
      const view = await item(itemIds[0] ?? '', 'review');
      return { ...view, listingId: view.listingId ?? '' };
    },
    /** Creates a reviewed item with a pending publish. */
    asked: async (): Promise<ApprovalView & { listingId: string }> => {
      const { listingId } = await world.reviewed();
      await perform('publishListing', { params: { listingId } });
      const [waiting] = companion().approvals.listPending();
      if (!waiting) throw new Error('No prompt is waiting.');
      return { ...waiting, listingId };
    },
    /** Approves the oldest pending approval and does not use its undo window. */
    yes: (): Promise<ApprovalView> => {
      const [waiting] = companion().approvals.listPending();
      if (!waiting) throw new Error('No prompt is waiting.');
      return world.approve(waiting);
    },
    /** Shows a prompt in a window of its own for 1.2 s and approves it. */
    pressYes: (approvalId: string, digest: string): Promise<ApprovalView> =>
      pressYes({ companion: companion(), clock }, approvalId, digest),
    /** Shows rows of a batch in a window of its own for 1.2 s and approves the chosen rows. */
    pressYesToRows: (batchId: string, chosen: readonly ShownPrompt[], others?: readonly ShownPrompt[]) =>
      pressYesToRows({ companion: companion(), clock }, batchId, chosen, others),
    /** Approves an approval and waits for its end, including its undo window. */
    approve: async ({ approvalId, digest }: { approvalId: string; digest: string }): Promise<ApprovalView> => {
      const decided = await world.pressYes(approvalId, digest);
      if (decided.heldUntil === null) return decided;
      const { approvals } = companion();
      // After a disconnect there are no approvals to read.
      const gone = (): boolean => companion().state(null).connection !== 'connected';
      const now = () => (gone() ? { ...decided, state: 'done' as const } : approvals.readView(decided.approvalId));
      return advanceUntil(
        clock,
        () => (['approved', 'sending'].includes(now().state) ? null : now()),
        'the end of the hold',
      );
    },
    /** Reads a listing at the service, without the companion. */
    listing: async (listingId: string): Promise<Listing> => {
      const outcome = await perform('readListing', { params: { listingId } });
      if (outcome.state !== 'done') throw new Error('A read never waits.');
      return outcome.answer as Listing;
    },
    /** Returns how often an event happened at the service. */
    happened: async (kind: string): Promise<number> =>
      (await practice.journal()).filter((row) => row.kind === kind).length,
    bridge: (showWindow?: () => void) =>
      startBridge({ companion: companion(), dataDir, port: 0, version: '0.0.0', showWindow }),
    close: async () => {
      await stop();
      if (!options.practice) await practice.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  await begin();
  if (options.person !== null) await companion().connect.practice();
  return world;
};
