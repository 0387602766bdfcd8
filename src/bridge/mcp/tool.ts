import type { AssistantAnswer } from '../approvalCalls.ts';
import type { AssistantApi } from '../assistantApi.ts';
import type { BatchRecord } from '../assistantRecords.ts';
import * as z from 'zod';
import type { Clock } from '../../core/base/ports.ts';
import { Problem } from '../../core/base/problem.ts';
import { next } from './fields.ts';
import { suggestNextCall } from './nextSteps.ts';
import type { AssistantAsker } from '../../core/base/request.ts';

/** Tools use only these calls and have no other access to the service. */
export type ToolApi = Pick<
  AssistantApi,
  | 'call'
  | 'askTogether'
  | 'batch'
  | 'decision'
  | 'approval'
  | 'openRequests'
  | 'withdraw'
  | 'withdrawBatch'
  | 'addItem'
  | 'markCallsDelivered'
  | 'checkVisibility'
  | 'items'
  | 'me'
  | 'classifyLink'
  | 'listingWarnings'
  | 'smallPhoto'
  | 'photoUrl'
  | 'shelf'
>;

/**
 * A client that repeats an undelivered call resumes it, so that the person is not asked twice. Calls that create items
 * are not stored here, because they are stored on disk.
 */
export type UndeliveredCalls<T> = {
  /** Returns the answer of an earlier identical call; null without such a call. */
  find: (key: string) => Promise<T> | null;
  keep: (key: string, answer: Promise<T>) => void;
  /** After this, an identical call makes a new request. */
  markDelivered: (key: string) => void;
};
export type UndeliveredRequests = {
  calls: UndeliveredCalls<AssistantAnswer>;
  batches: UndeliveredCalls<BatchRecord>;
};

export type ToolContext = {
  api: ToolApi;
  by: AssistantAsker;
  signal?: AbortSignal | undefined;
  clock: Clock;
  undelivered: UndeliveredRequests;
  /** Runs `then` after the answer has been sent, but never if the caller disconnects first. */
  answered: (then: () => void) => void;
  progress?: ((words: string) => void) | undefined;
  personWindow?: PersonWindow | undefined;
};

export type PersonWindow = {
  /** The state that a client sends when it repeats a call after opening the window; null for a first call. */
  resumedState: string | null;
  /**
   * Asks the client to open the window and returns a function that reports completion. Throws `WindowNeeded` if the
   * client must repeat the call with `state` instead.
   */
  open: (state: string) => () => void;
};

/** Thrown to end a call that the client will repeat after it opens the window. */
export class WindowNeeded extends Error {
  readonly state: string;

  constructor(state: string) {
    super('The client opens the window first.');
    this.state = state;
  }
}

export type ToolHints = {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
};

type FieldOf<T> = T extends unknown ? keyof T & string : never;

type ToolFacts<I extends z.ZodObject, O extends z.ZodType<Record<string, unknown>>> = {
  name: string;
  title: string;
  description: string;
  input: I;
  output: O;
  /** The fields of the answer that decide the next call. The published schema has only these fields. */
  decides: readonly FieldOf<z.output<O>>[];
  hints: ToolHints;
  run: (input: z.output<I>, context: ToolContext) => Promise<z.input<O>>;
  /** Returns the answer as one sentence without text of a marketplace. */
  summarize: (answer: z.output<O>) => string;
  /** Returns a JPEG for each requested photo, or a sentence that explains why the photo is missing. */
  pictures?: (input: z.output<I>, answer: z.output<O>, context: ToolContext) => Promise<readonly Picture[]>;
  /** True if the answer has no structured content, because some clients drop the images beside it. */
  isForImages?: boolean;
};

export type Picture = Uint8Array | string;

export type ToolAnswer = {
  structured: Record<string, unknown>;
  text: string;
  pictures: readonly Uint8Array[];
  /** Sentences of the companion about what the call did not do. */
  notices: readonly string[];
};
export type Tool = Pick<
  ToolFacts<z.ZodObject, z.ZodType<Record<string, unknown>>>,
  'name' | 'title' | 'description' | 'isForImages'
> & {
  hints: ToolHints;
  input: z.ZodObject;
  output: z.ZodType<Record<string, unknown>>;
  decides: readonly string[];
  /** Parses the arguments and runs the tool. Returns exactly the fields of the output schema. Throws `Problem`. */
  call: (args: Record<string, unknown>, context: ToolContext) => Promise<ToolAnswer>;
};

/** Converts the typed facts of a tool to a row for the tool table. */
export const defineTool = <I extends z.ZodObject, O extends z.ZodType<Record<string, unknown>>>(
  facts: ToolFacts<I, O>,
): Tool => {
  const { name, title, description, hints, input, output: own, decides, isForImages = false } = facts;
  const output = addNextField(own);
  return {
    name,
    title,
    description,
    hints,
    input,
    output,
    decides,
    isForImages,
    call: async (args, context) => {
      const given = input.safeParse(args);
      if (!given.success) throw toArgumentProblem(given.error);
      const answer = own.parse(await facts.run(given.data, context));
      const pictures = (await facts.pictures?.(given.data, answer, context)) ?? [];
      return {
        structured: { ...answer, next: suggestNextCall(name, answer, given.data) },
        text: facts.summarize(answer),
        pictures: pictures.filter((picture) => typeof picture !== 'string'),
        notices: pictures.filter((picture) => typeof picture === 'string'),
      };
    },
  };
};

const addNextField = (schema: z.ZodType): z.ZodType<Record<string, unknown>> => {
  if (schema instanceof z.ZodUnion)
    return z.union(schema.options.map((one) => addNextField(z.instanceof(z.ZodType).parse(one))));
  if (schema instanceof z.ZodObject) return schema.extend({ next });
  throw new Error('A tool answers objects.');
};

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
export const hints = {
  reads: { ...baseHints, readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  readsHere: { openWorldHint: false, readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  adds: { ...baseHints, readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  withdraws: { openWorldHint: false, readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  overwrites: { ...baseHints, readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  acts: { ...baseHints, readOnlyHint: false, destructiveHint: true, idempotentHint: false },
} as const satisfies Record<string, ToolHints>;
