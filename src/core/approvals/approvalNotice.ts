import { actOf, type RouteName } from '../../contract/index.ts';
import { noticeLengths, type Notice } from '../base/ports.ts';
import { noticeText, withoutMarkup } from '../base/messages.ts';
import type { Fact, Prompt } from '../storage/tables/approvalRecord.ts';
import { core, formatEnglish } from '../../i18n/english.ts';
import { message, type Message, type MessageValue } from '../../i18n/message.ts';
import { pathKey } from './subject.ts';

const joined = (before: Message, next: MessageValue): Message => message('notices.joined', { before, next });

export const joinedAll = (values: readonly MessageValue[]): Message => {
  const [first = '', ...others] = values.filter((value) => value !== '');
  return others.reduce(joined, message('notices.plain', { text: first }));
};

const heading = (name: string, { act, says = {} }: Prompt): Message =>
  message('notices.asks', { name, act: says.act ?? act });

/** Quotation marks of any supported language that could end a quotation. */
const marks = /["“”„‟«»‹›″＂〝〞]/g;
/** Quotes foreign text, so that it cannot imitate texts of the companion. Its own quotation marks are replaced. */
/** Characters that a desktop could read as markup are replaced by lookalikes. */
const quoted = (text: string): Message => message('notices.quoted', { text: withoutMarkup(text.replace(marks, "'")) });
/** Characters that separate facts, or a label from its value. */
const seems = /·|:\s|["“”„‟«»‹›″＂〝〞]/;

const titleOf = ({ target, says = {} }: Prompt): MessageValue => says.title ?? target?.title ?? '';
/** Returns a title that is safe next to texts of the companion. */
const plainTitle = (prompt: Prompt): MessageValue => {
  const title = titleOf(prompt);
  return typeof title === 'string' && seems.test(title) ? quoted(title) : title;
};

/** Namespaces whose labels are foreign. The other namespaces use labels of the catalogue where it has them. */
const foreign: ReadonlySet<Fact['namespace']> = new Set(['specifics', 'policies', 'templates']);
const isOwnField = ({ namespace, key, label }: Fact): boolean =>
  !foreign.has(namespace) && Object.hasOwn(core.labels, label) && key === pathKey(label.split('.'));

const labelOf = (fact: Fact): MessageValue =>
  fact.labelSays ?? (isOwnField(fact) ? { key: `labels.${fact.label}` } : quoted(fact.label));
const valueOf = ({ value, says }: Fact): MessageValue => says ?? (/^\d+$/.test(value) ? value : quoted(value));

/** Record fields that do not matter to a buyer. Only these may be omitted from a notification. */
const technical: ReadonlySet<string> = new Set([
  'listingId',
  'status',
  'createdAt',
  'categoryId',
  'currency',
  'listingLanguage',
  'visible',
]);
const isInNotice = ({ namespace, key }: Fact): boolean =>
  namespace === 'record' ? !technical.has(key) : !(namespace === 'listing' && key === 'title');

const allFacts = (prompt: Prompt): Message => {
  const title = titleOf(prompt);
  return joinedAll([
    typeof title === 'string' ? quoted(title) : title,
    ...prompt.facts
      .filter(isInNotice)
      .map((fact): MessageValue => message('notices.fact', { label: labelOf(fact), value: valueOf(fact) })),
    prompt.says?.yes ?? prompt.yes,
  ]);
};

/** Characters that a notification would escape, fold or replace. */
const unsayable = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|\s{2}/u;
const isSayable = (text: string): boolean => !unsayable.test(text) && text.match(marks) === null;

const foreignIn = ({ values = {} }: Message): string[] =>
  Object.values(values).flatMap((value) => {
    if (typeof value === 'string') return value;
    return typeof value === 'object' && 'key' in value ? foreignIn(value) : [];
  });

const wordsOf = ({ label, labelSays, value, says }: Fact): string[] => [
  ...(labelSays ? foreignIn(labelSays) : [label]),
  ...(says ? foreignIn(says) : [value]),
];

/**
 * Whether the notification may offer to approve: a publish whose facts all fit, that changes and accepts nothing else,
 * with a fee up to the person's ceiling in minor units (null: never).
 */
const mayYes = (route: RouteName, prompt: Prompt, ceilingMinor: number | null): boolean => {
  const { money, feeNotice, changes, facts, target } = prompt;
  if (ceilingMinor === null || actOf(route) !== 'publish' || !money || money.state === 'unavailable') return false;
  const fee = money.state === 'free' ? 0 : (money.totalMinor ?? Infinity);
  if (fee > ceilingMinor || feeNotice !== null || changes.length > 0) return false;
  // Values that the request itself sets should be reviewed in the full prompt.
  if (facts.some(({ namespace }) => namespace === 'request')) return false;
  const texts = [target?.title ?? '', ...facts.filter(isInNotice).flatMap(wordsOf)];
  return texts.every(isSayable) && [...formatEnglish(allFacts(prompt))].length <= noticeLengths.textWithYes;
};

type Asked = { name: string; route: RouteName; prompt: Prompt; digest: string };

/**
 * Creates the notification of a prompt: the asker, the act, its target and what the approval covers. If the person allows it,
 * the notification offers to approve, and then contains every fact of the prompt.
 */
export const noticeOf = (
  { name, route, prompt, digest }: Asked,
  ceilingMinor: number | null,
): Pick<Notice, 'title' | 'text' | 'says' | 'yes'> => {
  const title = heading(name, prompt);
  if (mayYes(route, prompt, ceilingMinor)) {
    return { ...noticeText(title, allFacts(prompt)), yes: { label: prompt.yes, says: prompt.says?.yes, digest } };
  }
  const about = [plainTitle(prompt), prompt.says?.mainFact ?? prompt.mainFact ?? '', prompt.says?.yes ?? prompt.yes];
  return noticeText(title, joinedAll(about));
};
