import { formatEnglishMessage } from '../../i18n/english.ts';
import { createMessage, type MessageArgs, type Message, type TextName } from '../../i18n/message.ts';

export const declineReasons = ['no', 'wrong_details', 'not_asked_for'] as const;
export type DeclineReason = (typeof declineReasons)[number];

/** The code of an outcome that the service reported but that later reads do not fully confirm. */
export const notCheckedCode = 'NOT_CHECKED';
/** The code of an act that the service refused although the listing shows it as done. */
export const refusedYetDoneCode = 'REFUSED_YET_DONE';

type ProblemFacts = {
  field?: string;
  retryAfterS?: number;
  rateCents?: number;
  declinedBecause?: DeclineReason | undefined;
  cause?: unknown;
  says?: Message | undefined;
};

/** An error that a person or an assistant can act on. Every error that leaves the core is a `Problem`. */
export class Problem extends Error {
  readonly code: string;
  readonly field: string | undefined;
  readonly retryAfterS: number | undefined;
  /** Set if the service refuses the price in the request: the current price of one more listing, in cents. */
  readonly rateCents: number | undefined;
  readonly declinedBecause: DeclineReason | undefined;
  readonly says: Message | undefined;

  constructor(code: string, sentence: string, more: ProblemFacts = {}) {
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
type ProblemArgs<K extends ProblemKey> = MessageArgs<`problems.${K}`>;
type ProblemOptions<K extends ProblemKey> = Omit<ProblemFacts, 'says'> &
  (ProblemArgs<K> extends [infer Values] ? { values: Values } : { values?: undefined });

export type ProblemText = { code: string; sentence: string; says: Message };

/** Returns the text of a problem. Its code is the part of the key before the dot. */
export const createProblemText = <K extends ProblemKey>(key: K, ...values: ProblemArgs<K>): ProblemText => {
  const says = createMessage(`problems.${key}`, ...values);
  return { code: key.split('.')[0] ?? key, sentence: formatEnglishMessage(says), says };
};

/** Creates a problem from a text in the translations. */
export const createProblem = <K extends ProblemKey>(
  key: K,
  ...[more]: ProblemArgs<K> extends [] ? [more?: ProblemOptions<K>] : [more: ProblemOptions<K>]
): Problem => {
  const { values, ...facts } = more ?? {};
  const { code, sentence, says } = createProblemText(
    key,
    ...((values === undefined ? [] : [values]) as ProblemArgs<K>),
  );
  return new Problem(code, sentence, { ...facts, says });
};

export type ProblemView = {
  code: string;
  sentence: string;
  field?: string;
  retryAfterS?: number;
  declinedBecause?: DeclineReason;
  says?: Message;
};

/**
 * Converts any thrown value to a view. Unknown errors get a generic sentence, because their text might contain private
 * data.
 */
export const toProblemView = (error: unknown): ProblemView =>
  error instanceof Problem
    ? {
        code: error.code,
        sentence: error.message,
        ...(error.field === undefined ? {} : { field: error.field }),
        ...(error.retryAfterS === undefined ? {} : { retryAfterS: error.retryAfterS }),
        ...(error.declinedBecause === undefined ? {} : { declinedBecause: error.declinedBecause }),
        ...(error.says === undefined ? {} : { says: error.says }),
      }
    : createProblemText(findSystemProblemKey(error) ?? 'INTERNAL');

const transientCodes = new Set(['DISK_FULL', 'DATA_UNWRITABLE', 'MACHINE_BUSY']);

/** Returns the disk or resource problem behind an error; null for other errors. A retry can succeed later. */
export const findDiskProblem = (error: unknown): Problem | null => {
  if (error instanceof Problem) return transientCodes.has(error.code) ? error : null;
  const key = findSystemProblemKey(error);
  return key === null || key === 'DATA_DAMAGED' ? null : createProblem(key, { cause: error });
};

type SystemKey = 'DISK_FULL' | 'DATA_DAMAGED' | 'DATA_UNWRITABLE' | 'MACHINE_BUSY';
const systemProblemKeys: [code: RegExp, key: SystemKey][] = [
  [/^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)$/, 'DISK_FULL'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'DATA_DAMAGED'],
  [/^(SQLITE_NOMEM|EMFILE|ENFILE|ENOMEM|EAGAIN)$/, 'MACHINE_BUSY'],
  [/^(SQLITE_(READONLY|IOERR|CANTOPEN)|EROFS$)/, 'DATA_UNWRITABLE'],
];

const findSystemProblemKey = (error: unknown): SystemKey | null => {
  const own = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  return systemProblemKeys.find(([code]) => code.test(own))?.[1] ?? null;
};
