import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import * as z from 'zod';
import { matchRouteByPath, getRouteByName } from '../../src/contract/index.ts';
import { startPracticeService } from '../../src/practice/startPractice.ts';
import { createBuiltInWriter } from '../../src/practice/writer/chooseWriter.ts';
import type { Writer } from '../../src/practice/writer/writer.ts';
import { copyPracticeDatabase } from './emptyDatabases.ts';
import { sharedReader } from './practice/sharedReader.ts';

export type PracticeAnswer = { status: number; headers: Record<string, string>; body: unknown };

/** A writer that takes no time and always writes the same listing: a book in good condition for 12.99. */
export const quickWriter: Writer = {
  write: async ({ words, photos }) => ({
    ok: true,
    title: words === '' ? 'A book about rivers' : words.slice(0, 80),
    description: `<p>A book, ${photos.length} photos.</p>`,
    categoryId: '1001',
    categoryName: 'Books',
    condition: 'USED_GOOD',
    conditionDescription: '',
    suggestedPriceCents: 1_299,
    // Required in the category, in every language that tests use.
    itemSpecifics: { 'Book Title': 'Rivers', Buchtitel: 'Rivers', 'Titre du livre': 'Rivers' },
    notes: [],
  }),
  close: async () => {},
};

export const createSharedWriter = (): Writer => createBuiltInWriter({ startReader: sharedReader });

/** Draws a small photo, the same for the same seed. */
export const drawnPhoto = async (seed = 1, type: 'jpeg' | 'png' | 'webp' = 'jpeg'): Promise<Buffer> =>
  sharp({
    create: {
      width: 64,
      height: 48,
      channels: 3,
      background: { r: (seed * 53) % 256, g: (seed * 101) % 256, b: (seed * 197) % 256 },
    },
  })
    .toFormat(type)
    .toBuffer();

export type TestPracticeOptions = {
  writer?: 'quick' | 'built-in' | Writer;
  /** Starts with the state of an earlier run; the folder is kept on close. */
  dataDir?: string;
  /** The port; without it a free port. */
  port?: number;
  now?: () => number;
};

export type TestPerson = { userId: string; agentKey: string };
export type PersonOptions = {
  email?: string;
  name?: string;
  plan?: string;
  credits?: number;
  /** The number of the plan's listings used this month. */
  used?: number;
  /** `stocked`: filled with a sales history. */
  shop?: 'empty' | 'stocked';
  trialEligible?: boolean;
  connected?: boolean;
  extras?: boolean;
  /** False: the e-mail about turning on extras was never sent. */
  extrasReceipt?: boolean;
  store?: boolean;
  /** The plan's state at the billing provider: active, past_due or pending. */
  subscription?: string;
  sellerSetup?: boolean;
  site?: string;
};

const people = z.object({ userId: z.string(), agentKey: z.string() });
const journalRows = z.array(z.looseObject({ seq: z.int(), at: z.string(), kind: z.string() }));
const slots = z.array(z.looseObject({ uploadUrl: z.string(), publicUrl: z.string(), imageId: z.string() }));
const listing = z.looseObject({ listingId: z.string(), status: z.string() });

let counter = 0;

const readAnswer = async (response: Response): Promise<PracticeAnswer> => {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: isJson ? (JSON.parse(text) as unknown) : text,
  };
};

/** Checks that every answer of a route matches the contract. */
const checkAnswer = (method: string, path: string, answer: PracticeAnswer): PracticeAnswer => {
  const match = matchRouteByPath(method, path.split('?')[0] ?? '');
  if (answer.status < 300 && match.kind === 'route') getRouteByName(match.name).answer.parse(answer.body);
  return answer;
};

const chooseWriter = (writer: TestPracticeOptions['writer'] = 'quick'): Writer => {
  if (writer === 'quick') return quickWriter;
  return writer === 'built-in' ? createSharedWriter() : writer;
};

/** Uploads the bytes of a photo to its upload address. */
const uploadPhoto = async (uploadUrl: string, bytes: Buffer, contentType = 'image/jpeg'): Promise<PracticeAnswer> =>
  readAnswer(
    await fetch(uploadUrl, {
      method: 'PUT',
      headers: { 'content-type': contentType },
      body: new Uint8Array(bytes),
    }),
  );

/** Returns shortcuts for the calls of assistants, the person and the controls. */
export const createPracticeClient = (url: string) => {
  const call = async (
    key: string | null,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<PracticeAnswer> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'manual',
    });
    return checkAnswer(method, path, await readAnswer(response));
  };

  const control = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await call(null, method, `/practice${path}`, body);
    if (answer.status !== 200) throw new Error(`${method} /practice${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };

  const person = async (given: PersonOptions = {}): Promise<TestPerson> => {
    counter += 1;
    return people.parse(await control('POST', '/people', { email: `person-${counter}@example.com`, ...given }));
  };

  return { call, control, upload: uploadPhoto, person };
};

/** Creates listings in the states that most stories start with. */
export const createListingMaker = ({ call, upload }: ReturnType<typeof createPracticeClient>) => {
  /** Creates a person's draft with this many uploaded photos. */
  const draft = async (key: string, photos = 1, body: Record<string, unknown> = {}): Promise<string> => {
    const { listingId } = listing.parse((await call(key, 'POST', '/listings', body)).body);
    if (photos === 0) return listingId;
    const files = Array.from({ length: photos }, (_, index) => ({ contentType: 'image/jpeg', index }));
    const asked = slots.parse((await call(key, 'POST', '/listings/upload-url', { listingId, files })).body);
    for (const [index, { uploadUrl }] of asked.entries()) await upload(uploadUrl, await drawnPhoto(index));
    return listingId;
  };

  /** Reads a listing until its generation has finished. */
  const settled = async (key: string, listingId: string): Promise<Record<string, unknown>> => {
    for (;;) {
      const now = listing.parse((await call(key, 'GET', `/listings/${listingId}`)).body);
      if (now.status !== 'processing') return now;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };

  /** Creates a generated listing in review. */
  const written = async (key: string, body: Record<string, unknown> = {}): Promise<string> => {
    const listingId = await draft(key, 1, body);
    const started = await call(key, 'POST', `/listings/${listingId}/generate`, {});
    if (started.status !== 200) throw new Error(`Not written: ${JSON.stringify(started.body)}`);
    await settled(key, listingId);
    return listingId;
  };

  /** Creates a live listing of a connected person. */
  const live = async (key: string, body: Record<string, unknown> = {}): Promise<string> => {
    const listingId = await written(key, body);
    await call(key, 'POST', `/listings/${listingId}/channels/fees`, { action: 'confirm' });
    const published = await call(key, 'POST', `/market/publish/${listingId}`, {});
    if (published.status !== 200) throw new Error(`Not published: ${JSON.stringify(published.body)}`);
    return listingId;
  };

  return { draft, settled, written, live };
};

/** Starts a real practice service on loopback with its own folder, and shortcuts for calls. */
export const startTestPractice = async (options: TestPracticeOptions = {}) => {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'practice-')));
  if (options.dataDir === undefined) copyPracticeDatabase(join(dataDir, 'practice.sqlite'));
  const writer = chooseWriter(options.writer);
  const reports: unknown[] = [];
  const service = await startPracticeService({
    dataDir,
    writer,
    report: (error) => reports.push(error),
    ...(options.now ? { now: options.now } : {}),
    ...(options.port === undefined ? {} : { port: options.port }),
  });
  const talk = createPracticeClient(service.url);
  const { control } = talk;

  const close = async (): Promise<void> => {
    if (reports.length > 0) console.error(...reports);
    await service.close();
    await writer.close();
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
  };

  return {
    url: service.url,
    dataDir,
    addresses: service.addresses,
    remove: service.remove,
    ...talk,
    ...createListingMaker(talk),
    journal: async (since = 0) => journalRows.parse(await control('GET', `/journal?since=${since}`)),
    advance: (advanceMs: number) => control('POST', '/clock', { advanceMs }),
    fault: (fault: Record<string, unknown>) => control('POST', '/faults', { times: 1, ...fault }),
    /** Faults of the service itself; there are none after a good test. */
    reports,
    close,
  };
};

export type TestPractice = Awaited<ReturnType<typeof startTestPractice>>;
