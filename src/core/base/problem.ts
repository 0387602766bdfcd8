import { formatEnglish } from '../../i18n/english.ts';
import { message, type MessageArgs, type Message, type TextName } from '../../i18n/message.ts';

/** Why the person said no. */
export const declineReasons = ['no', 'wrong_details', 'not_asked_for'] as const;
export type DeclineReason = (typeof declineReasons)[number];

type Facts = {
  field?: string;
  retryAfterS?: number;
  rateCents?: number;
  declinedBecause?: DeclineReason | undefined;
  cause?: unknown;
  says?: Message | undefined;
};

/**
 * Something that a person or an assistant can act on: an English sentence, a stable code, the field it is about, and the
 * seconds to wait where waiting helps. `says` is what other languages say it from; a text of the service itself has none.
 * Everything that leaves the core as an error is one of these.
 */
export class Problem extends Error {
  readonly code: string;
  readonly field: string | undefined;
  readonly retryAfterS: number | undefined;
  /** What one more listing costs now, in cents, where another rate was named. */
  readonly rateCents: number | undefined;
  /** Why the person said no, where they did. */
  readonly declinedBecause: DeclineReason | undefined;
  readonly says: Message | undefined;

  constructor(code: string, sentence: string, more: Facts = {}) {
    super(sentence, { cause: more.cause });
    this.name = 'Problem';
    this.code = code;
    this.field = more.field;
    this.retryAfterS = more.retryAfterS;
    this.rateCents = more.rateCents;
    this.declinedBecause = more.declinedBecause;
    this.says = more.says;
  }
}

type ProblemKey = TextName<'problems'>;
type GivenFor<K extends ProblemKey> = MessageArgs<`problems.${K}`>;
/** What a problem may carry besides its text; `values` where the text has places. */
type More<K extends ProblemKey> = Omit<Facts, 'says'> &
  (GivenFor<K> extends [infer Values] ? { values: Values } : { values?: undefined });

/** A refusal that can be said in every language. */
export type ProblemText = { code: string; sentence: string; says: Message };

/** The code, the English sentence and what other languages need, of a text of the problems. */
export const problemText = <K extends ProblemKey>(key: K, ...values: GivenFor<K>): ProblemText => {
  const says = message(`problems.${key}`, ...values);
  return { code: key.split('.')[0] ?? key, sentence: formatEnglish(says), says };
};

/** The problem of a text: its code is the key up to the point. */
export const problem = <K extends ProblemKey>(
  key: K,
  ...[more]: GivenFor<K> extends [] ? [more?: More<K>] : [more: More<K>]
): Problem => {
  const { values, ...facts } = more ?? {};
  const { code, sentence, says } = problemText(key, ...((values === undefined ? [] : [values]) as GivenFor<K>));
  return new Problem(code, sentence, { ...facts, says });
};

/** What crosses to a window or an assistant. */
export type ProblemView = {
  code: string;
  sentence: string;
  field?: string;
  retryAfterS?: number;
  declinedBecause?: DeclineReason;
  says?: Message;
};

/** The view of any thrown value; what is not a Problem becomes one plain sentence, as its text may hold anything. */
export const problemView = (error: unknown): ProblemView =>
  error instanceof Problem
    ? {
        code: error.code,
        sentence: error.message,
        ...(error.field === undefined ? {} : { field: error.field }),
        ...(error.retryAfterS === undefined ? {} : { retryAfterS: error.retryAfterS }),
        ...(error.declinedBecause === undefined ? {} : { declinedBecause: error.declinedBecause }),
        ...(error.says === undefined ? {} : { says: error.says }),
      }
    : problemText(systemKeyOf(error) ?? 'INTERNAL');

const passingCodes = new Set(['DISK_FULL', 'DATA_UNWRITABLE', 'MACHINE_BUSY']);

/**
 * The problem with the disk or the machine that an error is or comes from; null for any other. It passes when there is room
 * again, when the companion may write again, or when other programs leave files and memory to it.
 */
export const diskProblem = (error: unknown): Problem | null => {
  if (error instanceof Problem) return passingCodes.has(error.code) ? error : null;
  const key = systemKeyOf(error);
  return key === null || key === 'DATA_DAMAGED' ? null : problem(key, { cause: error });
};

/** What the disk and the database say by a code of their own, and what it means to the person. */
type SystemKey = 'DISK_FULL' | 'DATA_DAMAGED' | 'DATA_UNWRITABLE' | 'MACHINE_BUSY';
const fromSystem: [code: RegExp, key: SystemKey][] = [
  [/^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)$/, 'DISK_FULL'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'DATA_DAMAGED'],
  [/^(SQLITE_NOMEM|EMFILE|ENFILE|ENOMEM|EAGAIN)$/, 'MACHINE_BUSY'],
  [/^(SQLITE_(READONLY|IOERR|CANTOPEN)|EROFS$)/, 'DATA_UNWRITABLE'],
];

const systemKeyOf = (error: unknown): SystemKey | null => {
  const own = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  return fromSystem.find(([code]) => code.test(own))?.[1] ?? null;
};
