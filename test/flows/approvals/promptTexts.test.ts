import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { RawInput, RouteName } from '../../../src/contract/index.ts';
import type { Prompt } from '../../../src/core/storage/tables/approvalRecord.ts';
import type { Asker } from '../../../src/core/base/request.ts';
import { createPromptNotice } from '../../../src/core/approvals/approvalNotice.ts';
import { createHostTranslator } from '../../../src/host/hostTranslator.ts';
import { toNoticeText } from '../../../src/host/noticeText.ts';
import { formatApprovalLabel } from '../../../src/main/tray/pendingApprovals.ts';
import { readServiceKey } from '../../helpers/approvals/decisions.ts';
import { pairAsker } from '../../helpers/assistant.ts';
import { listPromptCases } from '../../helpers/approvals/listPromptCases.ts';
import {
  formatPromptLines,
  promptTranslators,
  type PromptLanguage,
} from '../../helpers/approvals/formatPromptLines.ts';
import { connectCorner } from '../../helpers/practice/channels.ts';
import { readExport } from '../../helpers/approvals/readExport.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld({ person: { extras: true } });
});
afterEach(() => world.close());

const cases = listPromptCases(
  () => world,
  async (person) => {
    await world.close();
    world = await startWorld({ person });
  },
);

const readPrompt = async (route: RouteName, input: RawInput, by: Asker = { kind: 'person' }): Promise<Prompt> => {
  const asked = await world.companion().perform({ by, route, input });
  if (asked.state !== 'pending') throw new Error('No prompt was requested.');
  return world.companion().approvals.readView(asked.approvalId).prompt;
};

type Records = Record<string, Record<string, string>[]>;
const readAnswer = async (path: string): Promise<Records> =>
  (await world.practice.call(await readServiceKey(world), 'GET', path)).body as Records;

/** Reads the ids that a request can name: the first policy of each kind, and the account. */
const readIds = async () => {
  const { policies = [] } = await readAnswer('/market/policies');
  const { accounts = [] } = await readAnswer('/market/accounts');
  const findPolicyId = (kind: string) => policies.find((one) => one['kind'] === kind)?.['policyId'];
  return {
    fulfillmentPolicyId: findPolicyId('fulfillment'),
    paymentPolicyId: findPolicyId('payment'),
    returnPolicyId: findPolicyId('return'),
    marketAccountId: accounts[0]?.['marketAccountId'],
  };
};
const createReviewedParams = async () => ({ listingId: (await world.reviewed()).listingId });
const createTemplate = async (body: object): Promise<string> => {
  const made = await world.practice.call(await readServiceKey(world), 'POST', '/market/templates/create', body);
  return (made.body as { templateId: string }).templateId;
};

/** Requests that contain every kind of id. */
const naming: [name: string, route: RouteName, input: () => Promise<RawInput>][] = [
  [
    'a publish with all ids',
    'publishListing',
    async () => ({ params: await createReviewedParams(), body: { ...(await readIds()), autoDelistOnSale: false } }),
  ],
  [
    'a publish of a listing with a template',
    'publishListing',
    async () => {
      const { fulfillmentPolicyId } = await readIds();
      const templateId = await createTemplate({ name: 'Books', fulfillmentPolicyId, marketplaceId: 'MKT_US' });
      return { params: { listingId: await world.practice.written(await readServiceKey(world), { templateId }) } };
    },
  ],
  [
    'a publish on two channels with options',
    'publishChannels',
    async () => {
      await connectCorner(world.practice, await readServiceKey(world));
      const body = { channels: ['market', 'corner'], options: { corner: { shelf: 'back' } } };
      return { params: await createReviewedParams(), body };
    },
  ],
  [
    'a fee notice with policies',
    'quoteFees',
    async () => ({ params: await createReviewedParams(), body: { action: 'confirm', ...(await readIds()) } }),
  ],
  [
    'a template with policies',
    'createTemplate',
    async () => ({ body: { name: 'Books', marketplaceId: 'MKT_US', ...(await readIds()) } }),
  ],
  [
    'a change of a template',
    'updateTemplate',
    async () => {
      const { fulfillmentPolicyId, returnPolicyId } = await readIds();
      const templateId = await createTemplate({ name: 'Books', fulfillmentPolicyId });
      return { params: { templateId }, body: { returnPolicyId } };
    },
  ],
  [
    'an edit of the category and Best Offer',
    'updateListing',
    async () => {
      const { categories = [] } = await readAnswer('/market/categories?q=camera');
      return {
        params: await createReviewedParams(),
        body: { categoryId: categories[0]?.['categoryId'], bestOffer: { enabled: false } },
      };
    },
  ],
  [
    'a change of the language and the setting after a sale',
    'updateUser',
    async () => {
      const { userId } = (await readAnswer('/agent/me')) as unknown as { userId: string };
      return { params: { userId }, body: { autoDelistDefault: true, language: 'de' } };
    },
  ],
  ['a request for extras', 'approveExtras', () => Promise.resolve({ body: { count: 3, rateCents: 55 } })],
  ['defaults with policies', 'updateSellerDefaults', async () => ({ body: { ...(await readIds()) } })],
];

/** Values that no prompt may show: ids, codes, enum names and missing values. */
const rawValues =
  /\b(pol|MKT|lst|tpl|con|mac|usr|xa|ext|cat)_\w+|\b(corner|market|true|false|null|undefined|pending_review|initial|confirm|FIXED_PRICE|AUCTION|USED_GOOD|fulfillment)\b|[=:→] nothing\b|\b[a-z]{2}-[A-Z]{2}\b|\d{4}-\d{2}-\d{2}T/;
/** Removes the name of an item specific, which the listing chooses freely. */
const removeSpecific = (line: string): string => line.replace(/^specifics: [^=]+=/, '');
/** Matches the path of a field, which must not be shown in place of its name. */
const rawName = /^[a-z]\w*(\.[\w ]+)*$/;
const listRawNames = ({ facts, changes }: Prompt): string[] =>
  [...facts.filter(({ namespace }) => namespace !== 'specifics'), ...changes].flatMap(({ label, labelSays }) =>
    labelSays === undefined || rawName.test(label) ? [label] : [],
  );
/** Removes addresses, which are shown unchanged. */
const removeAddress = (line: string): string => line.replace(/https?:\S+/, '');

/** Returns the texts of a prompt outside the window: its notification with and without approve button, and the tray. */
const listOutsideLines = async (route: RouteName, prompt: Prompt, language: PromptLanguage): Promise<string[]> => {
  const translator = createHostTranslator([language]);
  await translator.setLanguage(language);
  const notices = [null, 100_000].map((ceiling) =>
    createPromptNotice({ name: 'Helper', route, prompt, digest: '' }, ceiling),
  );
  return [
    ...notices.flatMap((notice) => Object.values(toNoticeText(translator, notice, 2_000))),
    formatApprovalLabel(prompt, translator),
  ];
};
const checkOutside = async (route: RouteName, prompt: Prompt): Promise<void> => {
  for (const language of ['en', 'de'] as const)
    expect(
      (await listOutsideLines(route, prompt, language)).filter((line) => rawValues.test(removeAddress(line))),
    ).toEqual([]);
};

/** Checks the texts about past approvals: the rows of the history and the outcomes. */
const checkPast = async (): Promise<void> => {
  const { searchHistory, approvals } = world.companion();
  const { rows } = await searchHistory.search({ q: '', limit: 50 });
  const outcomes = approvals.history().flatMap(({ outcome }) => outcome?.sentence ?? []);
  const told = [...rows.flatMap(({ act, title }) => [act ?? '', title ?? '']), ...outcomes];
  expect(told.filter((line) => rawValues.test(removeAddress(line)))).toEqual([]);
};

const checkPrompt = (prompt: Prompt, isNew = true): void => {
  expect(listRawNames(prompt)).toEqual([]);
  for (const language of ['en', 'de'] as const satisfies PromptLanguage[]) {
    const lines = formatPromptLines(prompt, language);
    expect(
      lines
        .map(removeSpecific)
        .map(removeAddress)
        .filter((line) => rawValues.test(line)),
    ).toEqual([]);
    expect(lines.filter((line) => /(^|= |: )→|→ $|= $/.test(line))).toEqual([]);
    if (!isNew) continue;
    expect(lines.map(replaceVariable).join('\n')).toMatchSnapshot(language);
  }
};
/** Replaces the values that differ between runs. */
const replaceVariable = (line: string): string =>
  line
    .replace(/= \d{1,2} \w+ \d{4}, [\d:]+$|= \d\d\.\d\d\.\d{4}, [\d:]+$/, '= <time>')
    .replace(/https?:\S+/, '<address>')
    .replace(/\b\d{12}\b/, '<number>')
    .replace(/seller-\w+/, 'seller-<name>');

const receiptFile = z.object({ shown: z.object({ prompt: z.custom<Prompt>() }) });
/** Checks the prompts in an exported receipt file. */
const checkReceipt = async (): Promise<void> => {
  const { approvals } = world.companion();
  for (const { approvalId, digest } of approvals.listPending()) approvals.decline(approvalId, digest, 'no');
  const text = await readExport(world, (exports) => exports.exportReceipts());
  const shown = text
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
    .flatMap((line) => receiptFile.safeParse(line).data?.shown.prompt ?? []);
  expect(shown).not.toEqual([]);
  for (const prompt of shown) checkPrompt(prompt, false);
};

describe('texts of prompts in English and in German', () => {
  const checkAll = async (route: RouteName, input: RawInput): Promise<void> => {
    const prompt = await readPrompt(route, input);
    checkPrompt(prompt);
    await checkOutside(route, prompt);
    await checkReceipt();
    await checkPast();
  };
  test.each(cases)('the prompt of %s shows no internal id or code', async (route, input) =>
    checkAll(route, await input()),
  );
  test.each(naming)('the prompt of %s shows no internal id or code', async (_name, route, input) =>
    checkAll(route, await input()),
  );
});

test('the prompt of a generation with another assistant’s extra shows no internal id or code', async () => {
  await world.close();
  world = await startWorld({ person: { plan: 'Lite', used: 30, extras: true } });
  await readPrompt('approveExtras', { body: { count: 2, rateCents: 60 } }, pairAsker(world, 'Rich'));
  await world.yes();
  const listingId = await world.practice.draft(await readServiceKey(world), 1);
  checkPrompt(await readPrompt('generateListing', { params: { listingId } }, pairAsker(world, 'Poor')));
});

test('the rows and the notification of a batch are translated into the person’s language', async () => {
  const helper = pairAsker(world, 'Helper');
  const key = await readServiceKey(world);
  const written = [await world.practice.written(key), await world.practice.written(key)];
  const draft = await world.practice.draft(key, 1);
  const toRequests = (listingIds: string[], route: RouteName, body: Record<string, unknown>) =>
    listingIds.map((listingId) => ({ route, input: { params: { listingId }, body } }));
  const asked = [
    ...(await world
      .companion()
      .batches.requestBatches(helper, [
        ...toRequests(written, 'publishChannels', { channels: ['market'], secretField: 1 }),
        ...toRequests([draft], 'publishChannels', { channels: ['market'] }),
      ])),
    ...(await world
      .companion()
      .batches.requestBatches(helper, toRequests(written, 'updateListing', { bestOffer: { enabled: true } }))),
  ];
  for (const batch of asked)
    for (const { approval, problem, title, titleSays } of batch.rows) {
      if (approval) checkPrompt(approval.prompt, false);
      const told = [problem?.sentence ?? '', title];
      const german = [problem?.says, titleSays].map((says) => (says && promptTranslators.de(says)) ?? '');
      expect([...told, ...german].filter((line) => rawValues.test(line))).toEqual([]);
    }
  const [, offers] = world.notices.filter(({ batchId }) => batchId !== undefined);
  const german = createHostTranslator(['de']);
  await german.setLanguage('de');
  if (!offers) throw new Error('The second batch was not announced.');
  expect(Object.values(toNoticeText(german, offers, 2_000)).join('\n')).toContain(
    'Preisvorschlag festlegen, für 2 Angebote',
  );
  const untitledRow = asked.flatMap(({ rows }) => rows).find(({ listingId }) => listingId === draft);
  expect(untitledRow?.titleSays && promptTranslators.de(untitledRow.titleSays)).toBe('Entwurf ohne Titel');
});

test('the prompt of a first publish lists its settings as facts, not as changes', async () => {
  const prompt = await readPrompt('publishListing', {
    params: await createReviewedParams(),
    body: { autoDelistOnSale: false },
  });
  expect(prompt.changes).toEqual([]);
  expect(prompt.facts).toContainEqual(
    expect.objectContaining({ namespace: 'request', key: 'autoDelistOnSale', value: 'no' }),
  );
});
