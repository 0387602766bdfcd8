import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as z from 'zod';
import type { WindowCalls } from '../../helpers/hosts/windowCalls.ts';
import { modelProtocols, startModelService, type ModelStory, type Received } from './modelService.ts';

/** How a client is started with another model service than its own. */
export type ModelSide = {
  protocol: keyof typeof modelProtocols;
  /** What the client puts before the name of a tool. */
  prefix: string;
  /** Whether the model must search for a tool before its first call. */
  searches: boolean;
  toCommand: (serviceUrl: string) => string[];
  toEnv: (serviceUrl: string) => Record<string, string>;
};

export type Report = (what: string, isGood: boolean) => void;

const usedTools = [
  ...['get_standing', 'list_listings', 'view_photos', 'edit_listing'],
  ...['publish_listing', 'check_request'],
];

/** Returns the last JSON object of a result, because clients put lines of their own before it. */
const parseAnswer = ({ text }: Received): Record<string, unknown> => {
  const line = text.split('\n').findLast((one) => one.startsWith('{'));
  return z.record(z.string(), z.unknown()).parse(JSON.parse(line ?? '{}'));
};
const pageShape = z.looseObject({ listings: z.array(z.looseObject({ listingId: z.string() })).min(1) });

const isPhoto = ({ mimeType, bytes }: Received['images'][number]): boolean =>
  mimeType === 'image/jpeg' && bytes.subarray(0, 3).toString('hex') === 'ffd8ff' && bytes.length > 2_000;

/** The person compares the code that the model was given, and lets the client in. */
const letClientIn = async (window: WindowCalls, code: unknown): Promise<void> => {
  const { pairings } = await window.ask('assistants.list', {});
  const pairing = pairings.find((one) => one.code === code);
  if (pairing === undefined) return;
  await window.ask('assistants.accept', {
    pairingId: pairing.pairingId,
    access: { scope: 'ask', folders: [], publishesPerDay: null, moneyCentsPerDay: null },
  });
};

const declinePending = async (window: WindowCalls): Promise<void> => {
  for (const { approvalId, digest } of await window.ask('approvals.list', {}))
    await window.ask('approvals.decline', { approvalId, digest, why: 'wrong_details' });
};

/** The calls of a model from the pairing to a declined publish, with a check of each result that the model receives. */
const createStory = async function* ({ prefix, searches }: ModelSide, window: WindowCalls, report: Report): ModelStory {
  const call = (tool: string, args: Record<string, unknown> = {}) => ({ tool: `${prefix}${tool}`, args });
  if (searches)
    yield { tool: 'ToolSearch', args: { query: `select:${usedTools.map((name) => prefix + name).join(',')}` } };
  const stranger = parseAnswer(yield call('get_standing'));
  report(
    'its model is told the code to compare, and the next step',
    /pairingCode.*accept/.test(String(stranger['nextStep'])),
  );
  await letClientIn(window, stranger['pairingCode']);
  const standing = yield call('get_standing');
  report('its model receives the standing', /"remaining":\d+/.test(standing.text));
  const page = yield call('list_listings', { status: 'pending_review', limit: 1 });
  report('its model receives listings with their warnings', /"untrustedTitle":"\w.*"TITLE_SHORT"/.test(page.text));
  const listingId = pageShape.parse(parseAnswer(page)).listings[0]?.listingId;
  const seen = yield call('view_photos', { listingId });
  report('its model sees the photo', seen.images.some(isPhoto));
  const edited = yield call('edit_listing', { listingId, priceCents: 4_900, colour: 'red' });
  report('its model receives the result of a change', /"changed":\["priceCents"\]/.test(edited.text));
  report('its model is told that an argument was ignored', /"notices":\["[^"]*ignored/.test(edited.text));
  const refused = parseAnswer(yield call('publish_listing', { listingId: 'unknown' }));
  report('its model is told what to do after a refusal', /list_listings/.test(String(refused['nextStep'])));
  const waiting = parseAnswer(yield call('publish_listing', { listingId }));
  report('its model is told that the person decides', /check_request/.test(String(waiting['nextStep'])));
  await declinePending(window);
  const declined = parseAnswer(yield call('check_request', { requestId: waiting['requestId'] }));
  report('its model is told why the person said no', declined['declinedBecause'] === 'wrong_details');
  return 'The person declined.';
};

/** Drives a client's model against a model service on this machine, and checks what reaches the model. */
export const checkModelSide = async (
  side: ModelSide,
  { window, report, cwd, env }: { window: WindowCalls; report: Report; cwd: string; env: Record<string, string> },
): Promise<void> => {
  let isOver = false;
  const story = async function* (): ModelStory {
    const last = yield* createStory(side, window, report);
    isOver = true;
    return last;
  };
  const service = await startModelService(modelProtocols[side.protocol], story());
  const [command = '', ...args] = side.toCommand(service.url);
  const options = { cwd, env: { ...env, ...side.toEnv(service.url) }, timeout: 180_000 };
  try {
    const running = promisify(execFile)(command, args, options);
    // A client may wait for more of its prompt.
    running.child.stdin?.end();
    await running;
  } catch (error) {
    console.error(error);
  } finally {
    service.stop();
  }
  report('its model makes every call', isOver);
};
