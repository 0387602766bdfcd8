import type { AssistantAnswer, AssistantApi } from '../assistantApi.ts';
import * as z from 'zod';
import type { Clock } from '../../core/base/ports.ts';
import { Problem } from '../../core/base/problem.ts';
import { next } from './fields.ts';
import { nextCallAfter } from './nextSteps.ts';
import type { Assistant } from '../../core/assistants/assistantWork.ts';

/** What the tools use of the assistants' API: they have no other way to the service. */
export type ToolApi = Pick<
  AssistantApi,
  | 'call'
  | 'decision'
  | 'approval'
  | 'addItem'
  | 'forgetCalls'
  | 'checkTold'
  | 'items'
  | 'me'
  | 'judgeLink'
  | 'smallPhoto'
  | 'photoUrl'
>;

/**
 * What calls have asked whose answers have not left yet. A client that gives up and makes the same call again takes up
 * what it asked, so that nobody is asked twice. Items are remembered on disk, by the calls that made them.
 */
export type BegunCalls = {
  /** Makes a request; the same call comes back to it where it has become a question to the person. */
  ask: (key: string, request: () => Promise<AssistantAnswer>) => Promise<AssistantAnswer>;
  /** The answer was taken: the same call begins anew. */
  taken: (key: string) => void;
};

/** Who calls a tool, the API that it works through, and the signal that its caller has hung up. */
export type ToolContext = {
  api: ToolApi;
  by: Assistant;
  signal?: AbortSignal | undefined;
  clock: Clock;
  /** What was begun for calls whose answers have not left yet. */
  begun: BegunCalls;
  /** The answer is there: runs `then` once it has left, and never where its caller has hung up. */
  answered: (then: () => void) => void;
  /** Tells the client how far it has come; there only where the client wants to know. */
  progress?: ((words: string) => void) | undefined;
  /** There where the client opens the companion's window for the person. */
  personWindow?: PersonWindow | undefined;
};

/** The companion's own window, as a client opens it for the person who has something to do there. */
export type PersonWindow = {
  /** What this call stands for where its client was sent to the window before and comes again; null for a first call. */
  opened: string | null;
  /**
   * Sends the client there. Answers what tells it that the person is done; or throws `WindowNeeded` where the client
   * makes the same call again afterwards, with `opened` being `state` then.
   */
  open: (state: string) => () => void;
};

/** Ends a call that its client makes again once it has opened the window. */
export class WindowNeeded extends Error {
  readonly state: string;

  constructor(state: string) {
    super('The client opens the window first.');
    this.state = state;
  }
}

/** What a tool says of itself to clients: whether it only reads, overwrites or ends something, and may be repeated. */
export type Hints = {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
};

/** The fields of every form that an answer may have. */
type FieldOf<T> = T extends unknown ? keyof T & string : never;

type ToolFacts<I extends z.ZodObject, O extends z.ZodType<Record<string, unknown>>> = {
  name: string;
  title: string;
  /** In the imperative: what it does, and when it is the wrong tool. */
  description: string;
  input: I;
  output: O;
  /** The fields of the answer that decide the next call: clients are told of these, and get the others as well. */
  decides: readonly FieldOf<z.output<O>>[];
  hints: Hints;
  run: (input: z.output<I>, context: ToolContext) => Promise<z.input<O>>;
  /** The answer in a sentence, without any text of a marketplace. */
  summarize: (answer: z.output<O>) => string;
  /** A picture that belongs to the answer: a JPEG, or in a sentence why there is none; null where none is wanted. */
  picture?: (input: z.output<I>, answer: z.output<O>, context: ToolContext) => Promise<Uint8Array | string | null>;
};

/** What a tool answers: data as its output schema has it, a sentence about it, and the JPEG that belongs to it. */
export type ToolAnswer = { structured: Record<string, unknown>; text: string; picture: Uint8Array | null };
/** A tool as MCP serves it. */
export type Tool = Pick<
  ToolFacts<z.ZodObject, z.ZodType<Record<string, unknown>>>,
  'name' | 'title' | 'description'
> & {
  hints: Hints;
  input: z.ZodObject;
  output: z.ZodType<Record<string, unknown>>;
  decides: readonly string[];
  /** Parses the arguments, runs, and answers exactly what the output schema describes. Throws `Problem`. */
  call: (args: Record<string, unknown>, context: ToolContext) => Promise<ToolAnswer>;
};

/** One row of the table of tools. */
export const tool = <I extends z.ZodObject, O extends z.ZodType<Record<string, unknown>>>(
  facts: ToolFacts<I, O>,
): Tool => {
  const { name, title, description, hints, input, output: own, decides } = facts;
  const output = withNext(own);
  return {
    name,
    title,
    description,
    hints,
    input,
    output,
    decides,
    call: async (args, context) => {
      const given = input.safeParse(args);
      if (!given.success) throw argumentProblem(given.error);
      const answer = own.parse(await facts.run(given.data, context));
      const picture = (await facts.picture?.(given.data, answer, context)) ?? null;
      const structured = { ...answer, next: nextCallAfter(name, answer, given.data) };
      const text = facts.summarize(answer);
      return typeof picture === 'string'
        ? { structured, text: `${text} ${picture}`, picture: null }
        : { structured, text, picture };
    },
  };
};

/** What a tool answers, with the call that follows beside it. */
const withNext = (schema: z.ZodType): z.ZodType<Record<string, unknown>> => {
  if (schema instanceof z.ZodUnion)
    return z.union(schema.options.map((one) => withNext(z.instanceof(z.ZodType).parse(one))));
  if (schema instanceof z.ZodObject) return schema.extend({ next });
  throw new Error('A tool answers objects.');
};

/** Our own sentences pass as they are; what the schema library says of a wrong type is put into one. */
const argumentProblem = ({ issues: [issue] }: z.ZodError): Problem => {
  const field = issue?.path.map(String).join('.') || 'arguments';
  const message = issue?.message ?? '';
  return new Problem(
    'INVALID_REQUEST',
    message.endsWith('.') ? message : `The argument “${field}” is not right: ${message}.`,
    {
      field,
    },
  );
};

const base = { openWorldHint: true };
/** The usual hints, by what a tool does. */
export const hints = {
  reads: { ...base, readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  readsHere: { openWorldHint: false, readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  adds: { ...base, readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  overwrites: { ...base, readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  acts: { ...base, readOnlyHint: false, destructiveHint: true, idempotentHint: false },
} as const satisfies Record<string, Hints>;
