import type { AssistantAnswer, AssistantApi } from '../assistantApi.ts';
import * as z from 'zod';
import type { Clock } from '../../core/base/ports.ts';
import { Problem } from '../../core/base/problem.ts';
import { next } from './fields.ts';
import { suggestNextCall } from './nextSteps.ts';
import type { AssistantAsker } from '../../core/assistants/assistantWork.ts';

/** The part of the assistant API that tools use. They have no other access to the service. */
export type ToolApi = Pick<
  AssistantApi,
  | 'call'
  | 'decision'
  | 'approval'
  | 'addItem'
  | 'forgetCalls'
  | 'checkVisibility'
  | 'items'
  | 'me'
  | 'judgeLink'
  | 'smallPhoto'
  | 'photoUrl'
>;

/**
 * Calls whose answers were not delivered yet. A client that gives up and repeats a call resumes it, so that the person
 * is not asked twice. Items are stored on disk by the calls that created them.
 */
export type UndeliveredCalls = {
  /** Makes a request, or returns the pending approval of the same earlier call. */
  resumeOrRequest: (key: string, request: () => Promise<AssistantAnswer>) => Promise<AssistantAnswer>;
  /** Marks the answer as delivered: the same call then makes a new request. */
  markDelivered: (key: string) => void;
};

/** The caller of a tool, the API that it uses, and a signal that aborts when the caller disconnects. */
export type ToolContext = {
  api: ToolApi;
  by: AssistantAsker;
  signal?: AbortSignal | undefined;
  clock: Clock;
  undelivered: UndeliveredCalls;
  /** Runs `then` once the answer was sent; never if the caller disconnected. */
  answered: (then: () => void) => void;
  /** Reports progress to the client; undefined if the client did not request it. */
  progress?: ((words: string) => void) | undefined;
  /** Set if the client opens the companion's window for the person. */
  personWindow?: PersonWindow | undefined;
};

/** The companion's own window, as a client opens it for a person who must act there. */
export type PersonWindow = {
  /** The state of a call that the client repeats after opening the window; null for a first call. */
  resumedState: string | null;
  /**
   * Asks the client to open the window. Returns a function that reports completion, or throws `WindowNeeded` if the
   * client repeats the call afterwards with `state` as `resumedState`.
   */
  open: (state: string) => () => void;
};

/** Ends a call that the client repeats after it opened the window. */
export class WindowNeeded extends Error {
  readonly state: string;

  constructor(state: string) {
    super('The client opens the window first.');
    this.state = state;
  }
}

/**
 * What a tool declares to clients: whether it only reads, overwrites or ends something, and whether it may be repeated.
 */
export type ToolHints = {
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
  /** In the imperative: what the tool does, and when it is the wrong tool. */
  description: string;
  input: I;
  output: O;
  /** The fields of the answer that decide the next call. Only these are in the published schema. */
  decides: readonly FieldOf<z.output<O>>[];
  hints: ToolHints;
  run: (input: z.output<I>, context: ToolContext) => Promise<z.input<O>>;
  /** Returns the answer as one sentence, without text of a marketplace. */
  summarize: (answer: z.output<O>) => string;
  /** Returns the JPEG for the answer, or a sentence that says why it is missing; null if no picture is wanted. */
  picture?: (input: z.output<I>, answer: z.output<O>, context: ToolContext) => Promise<Uint8Array | string | null>;
};

/** The answer of a tool: data that match its output schema, a sentence, and a JPEG. */
export type ToolAnswer = { structured: Record<string, unknown>; text: string; picture: Uint8Array | null };
/** A tool as MCP serves it. */
export type Tool = Pick<
  ToolFacts<z.ZodObject, z.ZodType<Record<string, unknown>>>,
  'name' | 'title' | 'description'
> & {
  hints: ToolHints;
  input: z.ZodObject;
  output: z.ZodType<Record<string, unknown>>;
  decides: readonly string[];
  /** Parses the arguments, runs the tool, and returns exactly what the output schema describes. Throws `Problem`. */
  call: (args: Record<string, unknown>, context: ToolContext) => Promise<ToolAnswer>;
};

/** Creates one row of the table of tools. */
export const defineTool = <I extends z.ZodObject, O extends z.ZodType<Record<string, unknown>>>(
  facts: ToolFacts<I, O>,
): Tool => {
  const { name, title, description, hints, input, output: own, decides } = facts;
  const output = addNextField(own);
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
      if (!given.success) throw toArgumentProblem(given.error);
      const answer = own.parse(await facts.run(given.data, context));
      const picture = (await facts.picture?.(given.data, answer, context)) ?? null;
      const structured = { ...answer, next: suggestNextCall(name, answer, given.data) };
      const text = facts.summarize(answer);
      return typeof picture === 'string'
        ? { structured, text: `${text} ${picture}`, picture: null }
        : { structured, text, picture };
    },
  };
};

/** Adds the field `next` to every form of an output schema. */
const addNextField = (schema: z.ZodType): z.ZodType<Record<string, unknown>> => {
  if (schema instanceof z.ZodUnion)
    return z.union(schema.options.map((one) => addNextField(z.instanceof(z.ZodType).parse(one))));
  if (schema instanceof z.ZodObject) return schema.extend({ next });
  throw new Error('A tool answers objects.');
};

/** Keeps our own sentences, which end with a full stop, and wraps messages of the schema library in a sentence. */
const toArgumentProblem = ({ issues: [issue] }: z.ZodError): Problem => {
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

const baseHints = { openWorldHint: true };
/** The usual hints, by the effect of a tool. */
export const hints = {
  reads: { ...baseHints, readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  readsHere: { openWorldHint: false, readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  adds: { ...baseHints, readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  overwrites: { ...baseHints, readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  acts: { ...baseHints, readOnlyHint: false, destructiveHint: true, idempotentHint: false },
} as const satisfies Record<string, ToolHints>;
