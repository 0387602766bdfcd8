import { findRouteAct, type Act, type RouteName } from '../../contract/index.ts';
import { maxNoticeLengths, type Notice } from '../base/ports.ts';
import { quotationMarks } from '../../text/escapes.ts';
import { formatNoticeTexts, quoteForeignText } from '../base/messages.ts';
import type { ApprovalView, PromptFact, Prompt } from '../storage/tables/approvalRecord.ts';
import { core, formatEnglishMessage } from '../../i18n/english.ts';
import { createMessage, type Message, type MessageValue } from '../../i18n/message.ts';
import { createPathKey } from './subject.ts';

const joinTwoParts = (before: Message, next: MessageValue): Message =>
  createMessage('notices.joined', { before, next });

const joinNoticeParts = (values: readonly MessageValue[]): Message => {
  const [first = '', ...others] = values.filter((value) => value !== '');
  return others.reduce(joinTwoParts, createMessage('notices.plain', { text: first }));
};

const formatNoticeHeading = (name: string, { act, says = {} }: Prompt): Message =>
  createMessage('notices.asks', { name, act: says.act ?? act });

/** A title that contains one of these characters could look like several facts. */
const ambiguousCharacters = /·|:\s|["“”„‟«»‹›″＂〝〞]/;

const getPromptTitle = ({ target, says = {} }: Prompt): MessageValue => says.title ?? target?.title ?? '';
const formatSafeTitle = (prompt: Prompt): MessageValue => {
  const title = getPromptTitle(prompt);
  return typeof title === 'string' && ambiguousCharacters.test(title) ? quoteForeignText(title) : title;
};

const foreignNamespaces: ReadonlySet<PromptFact['namespace']> = new Set(['specifics', 'policies', 'templates']);
const isCatalogueField = ({ namespace, key, label }: PromptFact): boolean =>
  !foreignNamespaces.has(namespace) && Object.hasOwn(core.labels, label) && key === createPathKey(label.split('.'));

const formatFactLabel = (fact: PromptFact): MessageValue =>
  fact.labelSays ?? (isCatalogueField(fact) ? { key: `labels.${fact.label}` } : quoteForeignText(fact.label));
const formatFactValue = ({ value, says }: PromptFact): MessageValue =>
  says ?? (/^\d+$/.test(value) ? value : quoteForeignText(value));

/** Fields that notifications omit, because they do not matter to a buyer. */
const technicalFields: ReadonlySet<string> = new Set([
  'listingId',
  'status',
  'createdAt',
  'categoryId',
  'currency',
  'listingLanguage',
  'visible',
]);
const isShownInNotice = ({ namespace, key }: PromptFact): boolean =>
  namespace === 'record' ? !technicalFields.has(key) : !(namespace === 'listing' && key === 'title');

const formatAllFacts = (prompt: Prompt): Message => {
  const title = getPromptTitle(prompt);
  return joinNoticeParts([
    typeof title === 'string' ? quoteForeignText(title) : title,
    ...prompt.facts
      .filter(isShownInNotice)
      .map((fact): MessageValue =>
        createMessage('notices.fact', { label: formatFactLabel(fact), value: formatFactValue(fact) }),
      ),
    prompt.says?.yes ?? prompt.yes,
  ]);
};

/** A notification would not show these characters exactly. */
const unsafeCharacters = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|\s{2}/u;
const isSafeForNotice = (text: string): boolean => !unsafeCharacters.test(text) && text.match(quotationMarks) === null;

const listForeignTexts = ({ values = {} }: Message): string[] =>
  Object.values(values).flatMap((value) => {
    if (typeof value === 'string') return value;
    return typeof value === 'object' && 'key' in value ? listForeignTexts(value) : [];
  });

const listForeignFactTexts = ({ label, labelSays, value, says }: PromptFact): string[] => [
  ...(labelSays ? listForeignTexts(labelSays) : [label]),
  ...(says ? listForeignTexts(says) : [value]),
];

/** Returns whether the notification may offer to approve the request. If `maxFeeMinor` is null, it never may. */
const canApproveFromNotice = (route: RouteName, prompt: Prompt, maxFeeMinor: number | null): boolean => {
  const { money, feeNotice, changes, facts, target } = prompt;
  if (maxFeeMinor === null || findRouteAct(route) !== 'publish' || !money || money.state === 'unavailable')
    return false;
  const fee = money.state === 'free' ? 0 : (money.totalMinor ?? Infinity);
  if (fee > maxFeeMinor || feeNotice !== null || changes.length > 0) return false;
  // Only the full prompt lets the person review values that the request sets.
  if (facts.some(({ namespace }) => namespace === 'request')) return false;
  const texts = [target?.title ?? '', ...facts.filter(isShownInNotice).flatMap(listForeignFactTexts)];
  return (
    texts.every(isSafeForNotice) &&
    [...formatEnglishMessage(formatAllFacts(prompt))].length <= maxNoticeLengths.textWithYes
  );
};

type PromptNotice = { name: string; route: RouteName; prompt: Prompt; digest: string };

/** Creates the notification of a prompt. If it offers to approve, it shows every fact except the technical fields. */
export const createPromptNotice = (
  { name, route, prompt, digest }: PromptNotice,
  maxFeeMinor: number | null,
): Pick<Notice, 'title' | 'text' | 'says' | 'yes'> => {
  const title = formatNoticeHeading(name, prompt);
  if (canApproveFromNotice(route, prompt, maxFeeMinor)) {
    return {
      ...formatNoticeTexts(title, formatAllFacts(prompt)),
      yes: { label: prompt.yes, says: prompt.says?.yes, digest },
    };
  }
  const about = [
    formatSafeTitle(prompt),
    prompt.says?.mainFact ?? prompt.mainFact ?? '',
    prompt.says?.yes ?? prompt.yes,
  ];
  return formatNoticeTexts(title, joinNoticeParts(about));
};

const batchActTexts = {
  publish: 'prompts.publishMany',
  revise: 'prompts.reviseMany',
  end: 'prompts.endMany',
  delete: 'prompts.removeMany',
} as const satisfies Partial<Record<Act, string>>;

type NoticeRow = {
  route: RouteName;
  title: string;
  titleSays?: Message | undefined;
  approval: Pick<ApprovalView, 'state' | 'prompt'> | null;
};

const describeBatchRequests = (rows: readonly NoticeRow[]): Message => {
  const route = rows[0]?.route ?? 'publishListing';
  const count = rows.length;
  const act = findRouteAct(route);
  if (act !== null && act !== 'disconnect') return createMessage(batchActTexts[act], { count });
  const { act: english, says } = rows[0]?.approval?.prompt ?? { act: '' };
  return createMessage('prompts.otherMany', { count, act: says?.act ?? english });
};

/** Creates the notification of a batch that an assistant requested. */
export const createBatchNotice = (
  name: string,
  rows: readonly NoticeRow[],
): Pick<Notice, 'kind' | 'title' | 'text' | 'says'> => {
  const asked = rows.filter(({ approval }) => approval?.state === 'pending');
  const title = createMessage('notices.asks', { name, act: describeBatchRequests(asked) });
  const titles = asked.slice(0, 3).map(({ title: own, titleSays }): MessageValue => titleSays ?? own);
  const text = joinNoticeParts([...titles, ...(asked.length > 3 ? ['…'] : [])]);
  return { kind: 'approvals', ...formatNoticeTexts(title, text) };
};
