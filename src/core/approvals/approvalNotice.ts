import { actOf, type RouteName } from '../../contract/index.ts';
import { noticeLengths, type Notice } from '../base/ports.ts';
import { noticeText, withoutMarkup } from '../base/messages.ts';
import type { Fact, Prompt } from '../storage/tables/approvalRecord.ts';
import { core, formatEnglish } from '../../i18n/english.ts';
import { message, type Message, type MessageValue } from '../../i18n/message.ts';
import { pathKey } from './subject.ts';

const joined = (before: Message, next: MessageValue): Message => message('notices.joined', { before, next });

/** Parts of a notification as one text. */
export const joinedAll = (values: readonly MessageValue[]): Message => {
  const [first = '', ...others] = values.filter((value) => value !== '');
  return others.reduce(joined, message('notices.plain', { text: first }));
};

const heading = (name: string, { act, says = {} }: Prompt): Message =>
  message('notices.asks', { name, act: says.act ?? act });

/** Marks that could end a quotation of ours, in any of our languages. */
const marks = /["“”„‟«»‹›″＂〝〞]/g;
/** Somebody else's text in marks of ours, so that it cannot pass for our words; marks of its own lose their power. */
/** Signs that a desktop would read as markup are said by others that look the same. */
const quoted = (text: string): Message => message('notices.quoted', { text: withoutMarkup(text.replace(marks, "'")) });
/** What parts one fact from the next, or a name from its value. */
const seems = /·|:\s|["“”„‟«»‹›″＂〝〞]/;

const titleOf = ({ target, says = {} }: Prompt): MessageValue => says.title ?? target?.title ?? '';
/** A title as it may stand beside words of ours. */
const plainTitle = (prompt: Prompt): MessageValue => {
  const title = titleOf(prompt);
  return typeof title === 'string' && seems.test(title) ? quoted(title) : title;
};

/** Facts whose names others gave; what stands in the other ones has our names where the table has them. */
const foreign: ReadonlySet<Fact['namespace']> = new Set(['specifics', 'policies', 'templates']);
const isOwnField = ({ namespace, key, label }: Fact): boolean =>
  !foreign.has(namespace) && Object.hasOwn(core.labels, label) && key === pathKey(label.split('.'));

const labelOf = (fact: Fact): MessageValue =>
  fact.labelSays ?? (isOwnField(fact) ? { key: `labels.${fact.label}` } : quoted(fact.label));
const valueOf = ({ value, says }: Fact): MessageValue => says ?? (/^\d+$/.test(value) ? value : quoted(value));

/** Fields of the service's record that tell a buyer nothing; a notification may do without them, and without any other not. */
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

/** Every fact of the prompt in one text: our words as they are, everybody else's in quotation marks. */
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

/** What would be written out, folded or replaced on its way into a notification. */
const unsayable = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|\s{2}/u;
const isSayable = (text: string): boolean => !unsayable.test(text) && text.match(marks) === null;

/** What others wrote in a message of ours. */
const foreignIn = ({ values = {} }: Message): string[] =>
  Object.values(values).flatMap((value) => {
    if (typeof value === 'string') return value;
    return typeof value === 'object' && 'key' in value ? foreignIn(value) : [];
  });

/** The words of a fact that are somebody else's; what others wrote in a message of ours stands in marks of ours. */
const wordsOf = ({ label, labelSays, value, says }: Fact): string[] => [
  ...(labelSays ? foreignIn(labelSays) : [label]),
  ...(says ? foreignIn(says) : [value]),
];

/**
 * Whether a yes may stand in the notification: a publish of which it says every fact, that changes nothing and agrees to
 * nothing else, for a fee that is not above the person's ceiling in minor units (null: never).
 */
const mayYes = (route: RouteName, prompt: Prompt, ceilingMinor: number | null): boolean => {
  const { money, feeNotice, changes, facts, target } = prompt;
  if (ceilingMinor === null || actOf(route) !== 'publish' || !money || money.state === 'unavailable') return false;
  const fee = money.state === 'free' ? 0 : (money.totalMinor ?? Infinity);
  if (fee > ceilingMinor || feeNotice !== null || changes.length > 0) return false;
  // What the request sets of its own wants a look at the whole prompt.
  if (facts.some(({ namespace }) => namespace === 'request')) return false;
  const texts = [target?.title ?? '', ...facts.filter(isInNotice).flatMap(wordsOf)];
  return texts.every(isSayable) && [...formatEnglish(allFacts(prompt))].length <= noticeLengths.textWithYes;
};

type Asked = { name: string; route: RouteName; prompt: Prompt; digest: string };

/**
 * What is told outside the window of a question: who asks for what, about what, and what the yes is to. Where the person
 * allows it, with the yes itself; then it says every fact of the prompt.
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
