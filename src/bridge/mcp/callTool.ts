import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ToolContext } from './tool.ts';
import { toolProblemOf, type ToolProblem } from './toolProblem.ts';
import { tools } from './tools/index.ts';

const byName = new Map(tools.map((tool) => [tool.name, tool]));

/** A refusal as a tool's result. */
export const refused = (problem: ToolProblem): CallToolResult => ({
  isError: true,
  structuredContent: problem,
  content: texts(`${problem.error} ${problem.nextStep}`, problem),
});

/** The sentence first, then the same data as text, for clients that read one of the two only. */
const texts = (sentence: string, data: unknown): CallToolResult['content'] => [
  { type: 'text', text: sentence },
  { type: 'text', text: JSON.stringify(data) },
];

/** Runs a tool; null when there is none of this name. Refusals are results, never thrown. */
export const callTool = async (
  name: string,
  args: Record<string, unknown>,
  context: ToolContext,
): Promise<CallToolResult | null> => {
  const tool = byName.get(name);
  if (!tool) return null;
  try {
    const { structured, text } = await tool.call(args, context);
    const ignored = Object.keys(args).filter((key) => !Object.hasOwn(tool.input.shape, key));
    return { structuredContent: structured, content: texts(`${text}${ignoredNote(ignored)}`, structured) };
  } catch (error) {
    return refused(toolProblemOf(error));
  }
};

/** Some clients add arguments of their own: they are passed over, and said to have had no effect. */
const ignoredNote = (names: string[]): string =>
  names.length === 0
    ? ''
    : ` ${names.length} ${names.length === 1 ? 'argument that this tool does not have was' : 'arguments that this tool does not have were'} ignored; none can stand for the person's yes.`;
