import * as z from 'zod';
import { findPublishFix } from '../../contract/index.ts';
import { declineReasons, toProblemView } from '../../core/base/problem.ts';
import { ServiceError } from '../../core/service/serviceError.ts';
import { getCurrentRateFields } from '../bridgeProblem.ts';
import { next, nextStep, untrusted } from './fields.ts';
import { suggestCallAfterRefusal, chooseStepAfterDecline, chooseStepAfterRefusal } from './nextSteps.ts';
import { findOwnEntry } from '../../contract/untrusted.ts';
import { inputRequired, type CallToolResult, type InputRequiredResult } from '@modelcontextprotocol/server';
import { WindowNeeded, type ToolContext } from './tool.ts';
import { tools } from './tools/index.ts';

export const toolProblem = z.object({
  code: z.string(),
  error: z.string(),
  field: z.string().optional(),
  untrustedDetail: untrusted.optional(),
  retryAfterS: z.number().optional(),
  declinedBecause: z.enum(declineReasons).optional().describe('Why the person said no.'),
  rateCents: z.int().optional().describe('What one extra listing costs now.'),
  pairingCode: z.string().optional().describe('The code to compare in the companion.'),
  nextStep,
  next,
});
type ToolProblem = z.infer<typeof toolProblem>;

const replacementSentences: Readonly<Record<string, string>> = {
  PUBLISH_BLOCKED: 'The listing cannot be published yet: something in it is missing or wrong.',
};

/**
 * If an error contains text from the service or a marketplace, returns the companion's own sentence that replaces the
 * text; otherwise returns null.
 */
const findReplacementSentence = (error: unknown, code: string): string | null => {
  const own = findOwnEntry(replacementSentences, code) ?? findPublishFix(code)?.sentence;
  if (own !== undefined) return own;
  const theirs = error instanceof ServiceError && error.body !== undefined && error.body !== null;
  return theirs ? 'The service refused this.' : null;
};

/** Converts an error to the format of the tools. Text from the service or a marketplace is kept in separate fields. */
export const toToolProblem = (error: unknown, tool: string, args: Record<string, unknown>): ToolProblem => {
  const { sentence, code, field, retryAfterS, declinedBecause } = toProblemView(error);
  const ours = findReplacementSentence(error, code);
  const [place] = /^[\w.-]{1,100}/.exec(field ?? '') ?? [];
  return {
    code,
    error: ours ?? sentence,
    ...(place === undefined ? {} : { field: place }),
    ...(ours === null ? {} : { untrustedDetail: sentence }),
    ...(retryAfterS === undefined ? {} : { retryAfterS }),
    ...(declinedBecause === undefined ? {} : { declinedBecause }),
    ...getCurrentRateFields(error),
    nextStep:
      declinedBecause === undefined
        ? chooseStepAfterRefusal(code, retryAfterS)
        : chooseStepAfterDecline(declinedBecause),
    next: suggestCallAfterRefusal(tool, { code, retryAfterS }, args),
  };
};

const byName = new Map(tools.map((tool) => [tool.name, tool]));

/** Returns a refusal as the result of a tool. */
export const toRefusalResult = (problem: ToolProblem): CallToolResult => ({
  isError: true,
  structuredContent: problem,
  content: toTextContent(`${problem.error} ${problem.nextStep}`, problem),
});

const toTextContent = (sentence: string, data: unknown): CallToolResult['content'] => [
  { type: 'text', text: sentence },
  { type: 'text', text: JSON.stringify(data) },
];

const toImageContent = (jpegs: readonly Uint8Array[]): CallToolResult['content'] =>
  jpegs.map((jpeg) => ({ type: 'image', data: Buffer.from(jpeg).toString('base64'), mimeType: 'image/jpeg' }));

/** The client shows `message` before the window opens, so `message` must reveal nothing about approvals. */
export type CompanionWindowLink = { url: string; message: string };

/** Asks a client of the newer protocol revision to open the companion's window and to repeat the call with `state`. */
export const createWindowRequest = ({ url, message }: CompanionWindowLink, state: string): InputRequiredResult =>
  inputRequired({
    inputRequests: { window: inputRequired.elicitUrl({ url, message }) },
    requestState: state,
  });

/** Runs a tool; returns null if no tool has this name. A refusal is returned as a result and never thrown. */
export const callTool = async (
  name: string,
  args: Record<string, unknown>,
  context: ToolContext,
  window: CompanionWindowLink,
): Promise<CallToolResult | InputRequiredResult | null> => {
  const tool = byName.get(name);
  if (!tool) return null;
  const known = Object.keys(tool.input.shape);
  const ignored = Object.keys(args).filter((key) => !known.includes(key));
  try {
    // A paused assistant keeps its connection and its tools, because a client would drop a server that refuses them.
    context.api.checkVisibility(context.by);
    const afterAnswer: (() => void)[] = [];
    const runAfterAnswer = (then: () => void): void => void afterAnswer.push(then);
    const {
      structured,
      text,
      pictures,
      notices: own,
    } = await tool.call(args, { ...context, answered: runAfterAnswer });
    // The assistant might have been revoked while the tool waited, so check again.
    context.api.checkVisibility(context.by);
    afterAnswer.forEach(context.answered);
    const notices = [...own, ...listIgnoredArguments(ignored)];
    const data = notices.length === 0 ? structured : { ...structured, notices };
    return {
      ...(tool.isForImages ? {} : { structuredContent: data }),
      content: [...toTextContent([text, ...notices].join(' '), data), ...toImageContent(pictures)],
    };
  } catch (error) {
    if (error instanceof WindowNeeded) return createWindowRequest(window, error.state);
    return toRefusalResult(nameIgnoredArgument(toToolProblem(error, name, args), { ignored, known }));
  }
};

const nameShape = /^[\w.-]{1,100}$/;

/** If no field is to blame for a refused call, an argument that the tool does not have is. */
const nameIgnoredArgument = (
  problem: ToolProblem,
  { ignored, known }: { ignored: string[]; known: string[] },
): ToolProblem => {
  const name = ignored.find((one) => nameShape.test(one));
  if (problem.code !== 'INVALID_REQUEST' || problem.field !== undefined || name === undefined) return problem;
  return {
    ...problem,
    field: name,
    error: `There is no argument “${name}”, so nothing would change.`,
    nextStep: `Call again with the arguments that there are: ${known.join(', ')}.`,
  };
};

const maxNamedArguments = 5;

/** Some clients add unknown arguments, which have no effect. */
const listIgnoredArguments = (names: string[]): string[] => {
  if (names.length === 0) return [];
  const count =
    names.length === 1
      ? '1 argument that this tool does not have was'
      : `${names.length} arguments that this tool does not have were`;
  const shown = names.filter((name) => nameShape.test(name)).slice(0, maxNamedArguments);
  const named = shown.length === 0 ? '' : ` (${shown.join(', ')})`;
  return [`${count} ignored${named}; none can stand for the person's yes.`];
};
