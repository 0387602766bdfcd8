import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBridge } from '../../src/bridge/startBridge.ts';
import { createOutboundPolicy, type OutboundPolicy } from '../../src/core/service/outboundPolicy.ts';
import type { InputOf, Listing, RouteName } from '../../src/contract/index.ts';
import { createCompanion, type Companion, type CompanionConfig } from '../../src/core/companion/createCompanion.ts';
import type { ApprovalView } from '../../src/core/storage/tables/approvalRecord.ts';
import type { ItemView, Step } from '../../src/core/storage/tables/itemRecord.ts';
import type { Notice, Random, Secrets } from '../../src/core/base/ports.ts';
import { copyCompanionDatabase } from './emptyDatabases.ts';
import { drawnFolder } from './photos/drawnFolder.ts';
import { memorySecrets } from './hosts/memorySecrets.ts';
import { rememberingKitchen } from './photos/rememberingKitchen.ts';
import { startTestPractice, type PersonOptions, type TestPractice, type TestPracticeOptions } from './practice.ts';
import { testClock, until } from './testClock.ts';
import type { Outcome } from '../../src/core/base/request.ts';

export type World = Awaited<ReturnType<typeof startWorld>>;
type WorldOptions = {
  person?: PersonOptions | null;
  writer?: TestPracticeOptions['writer'];
  /** A practice service that other worlds use as well; the world leaves it open. Without it the world starts its own. */
  practice?: TestPractice;
  /** Where the next request goes instead of the practice service. */
  reach?: () => string | null;
  /** Where photos are read and put besides the practice service. */
  outside?: OutboundPolicy;
  keychain?: Secrets['kind'];
  /** Who practises, where it is not the one person of this world. */
  practicePerson?: (practice: TestPractice) => CompanionConfig['practicePerson'];
  /** What starts the process that decodes photos, where it is not the usual one. */
  startKitchen?: CompanionConfig['startPhotoProcess'];
  /** What spreads the companion's own times; by default the earliest time and the longest pause. */
  random?: Random;
  /** Settles when the window that opens needs the machine no more; without it a start goes on at once. */
  calm?: Promise<void>;
};

/** A practice service and a companion on its folder, connected as a person who is ready to publish on MKT_US. */
export const startWorld = async (options: WorldOptions = {}) => {
  const practice = options.practice ?? (await startTestPractice(options.writer ? { writer: options.writer } : {}));
  const dataDir = await mkdtemp(join(tmpdir(), 'companion-'));
  copyCompanionDatabase(join(dataDir, 'companion.db'));
  const clock = testClock();
  const secrets = memorySecrets(options.keychain);
  const notices: Notice[] = [];
  const logs: string[] = [];
  const email = `seller-${Math.random().toString(36).slice(2)}@practice.example`;
  let current: Companion | null = null;

  /** Starts the companion; on another folder after the data were moved there. */
  const begin = async (at = dataDir): Promise<Companion> => {
    const made = await createCompanion(
      {
        dataDir: at,
        version: '0.0.0',
        service: {
          kind: 'practice',
          get url() {
            return options.reach?.() ?? practice.url;
          },
        },
        // Photos lie at the practice service itself, whatever stands before it.
        outside: options.outside ?? createOutboundPolicy(() => practice.url),
        startPhotoProcess: options.startKitchen ?? rememberingKitchen,
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
        notify: (notice) => notices.push(notice),
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

  const folder = (name: string, photos = 2): Promise<string> => drawnFolder(join(dataDir, 'photos of'), name, photos);

  const item = async (itemId: string, step: Step): Promise<ItemView> =>
    until(
      clock,
      () => {
        const view = companion().items.get(itemId);
        if (view.stop) throw new Error(`The item stopped: ${view.stop.sentence}`);
        return view.step === step ? view : null;
      },
      `${step} of the item`,
    );

  const perform = <N extends RouteName>(route: N, input: InputOf<N>): Promise<Outcome> =>
    companion().perform({ by: { kind: 'person' }, route, input: input });

  const world = {
    practice,
    clock,
    dataDir,
    notices,
    logs,
    secrets,
    companion,
    begin,
    stop,
    folder,
    item,
    perform,
    until: <T>(look: () => T | Promise<T>, what?: string) => until(clock, look, what),
    /** Drops a folder and waits until there is something to review. */
    reviewed: async (name = 'blue shoes', photos = 2): Promise<ItemView & { listingId: string }> => {
      const { itemIds } = await companion().add({ kind: 'paths', paths: [await folder(name, photos)] });
      const view = await item(itemIds[0] ?? '', 'review');
      return { ...view, listingId: view.listingId ?? '' };
    },
    /** A reviewed item whose publish waits for the person. */
    asked: async (): Promise<ApprovalView & { listingId: string }> => {
      const { listingId } = await world.reviewed();
      await perform('publishListing', { params: { listingId } });
      const [waiting] = companion().approvals.listPending();
      if (!waiting) throw new Error('No prompt is waiting.');
      return { ...waiting, listingId };
    },
    /** The person says yes to what waits longest, and takes nothing back while it is held. */
    yes: (): Promise<ApprovalView> => {
      const [waiting] = companion().approvals.listPending();
      if (!waiting) throw new Error('No prompt is waiting.');
      return world.approve(waiting);
    },
    /** A yes to what is shown, followed to its end: over the five seconds for which some acts are held. */
    approve: async ({ approvalId, digest }: { approvalId: string; digest: string }): Promise<ApprovalView> => {
      const decided = await companion().approvals.approve(approvalId, digest);
      if (decided.heldUntil === null) return decided;
      const { approvals } = companion();
      // Who disconnects has no approvals to look at any more.
      const gone = (): boolean => companion().state(null).connection !== 'connected';
      const now = () => (gone() ? { ...decided, state: 'done' as const } : approvals.readView(decided.approvalId));
      return until(clock, () => (['approved', 'sending'].includes(now().state) ? null : now()), 'the end of the hold');
    },
    /** The service's own view of a listing, read past the companion. */
    listing: async (listingId: string): Promise<Listing> => {
      const outcome = await perform('readListing', { params: { listingId } });
      if (outcome.state !== 'done') throw new Error('A read never waits.');
      return outcome.answer as Listing;
    },
    /** How often something happened at the service. */
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
