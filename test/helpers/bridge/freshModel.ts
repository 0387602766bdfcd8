import * as z from 'zod';

/** What a model without prior knowledge sees: the tools, the server's instructions, and each answer. */
export type SeenTools = {
  instructions: string;
  tools: { name: string; inputSchema: Record<string, unknown> }[];
  call: (name: string, args: Record<string, unknown>) => Promise<{ isError: boolean; data: Record<string, unknown> }>;
};

/** The person whom the model works for. */
export type ModelUser = {
  /** The person's wishes, by the names of tool arguments. */
  wants: Record<string, unknown>;
  /** The person follows the model's instruction; returns false if the person refuses. */
  follows: (nextStep: string, answer: Record<string, unknown>) => boolean;
  /** Lets time pass. */
  wait: (seconds: number) => void;
};

const nextShape = z.object({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  again: z.boolean(),
  personFirst: z.boolean(),
  afterS: z.int(),
});
const answerShape = z.looseObject({ nextStep: z.string(), next: nextShape.nullable() });
const schemaShape = z.looseObject({ properties: z.record(z.string(), z.unknown()).default({}) });

/** More calls than this mean a loop. */
const maxCalls = 14;

/** The calls in order, and the last answer. */
export type ModelRun = { calls: string[]; last: Record<string, unknown> };

/**
 * Works for a person like a model that has never seen these tools: calls the tool that the server names first, and then
 * whatever each answer suggests. This code knows neither tool names nor states.
 */
export const playFreshModel = async (seen: SeenTools, person: ModelUser): Promise<ModelRun> => {
  const names = seen.tools.map(({ name }) => name);
  const first = [...seen.instructions.matchAll(/\w+/g)].map(([word]) => word).find((word) => names.includes(word));
  if (first === undefined) throw new Error('The server names no tool to begin with.');
  /** Returns the wishes for which the tool has an argument. */
  const wanted = (tool: string): Record<string, unknown> => {
    const found = seen.tools.find(({ name }) => name === tool);
    if (!found) throw new Error(`An answer names ${tool}, which is not in the list.`);
    const { properties } = schemaShape.parse(found.inputSchema);
    return Object.fromEntries(Object.entries(person.wants).filter(([name]) => Object.hasOwn(properties, name)));
  };

  const calls: string[] = [];
  let now = { tool: first, args: wanted(first) };
  for (;;) {
    const { data } = await seen.call(now.tool, now.args);
    calls.push('code' in data ? `${now.tool} (${String(data['code'])})` : now.tool);
    if (calls.length > maxCalls) throw new Error(`It goes round: ${calls.join(', ')}`);
    const { next, nextStep } = answerShape.parse(data);
    if (next === null) return { calls, last: data };
    if (next.personFirst && !person.follows(nextStep, data)) return { calls, last: data };
    if (next.afterS > 0) person.wait(next.afterS);
    if (!next.again) now = { tool: next.tool, args: { ...wanted(next.tool), ...next.arguments } };
  }
};
