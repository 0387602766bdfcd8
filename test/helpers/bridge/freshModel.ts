import * as z from 'zod';

/** What a model that knows nothing of the companion sees: the list of tools, what it is told first, and each answer. */
export type SeenTools = {
  instructions: string;
  tools: { name: string; inputSchema: Record<string, unknown> }[];
  call: (name: string, args: Record<string, unknown>) => Promise<{ isError: boolean; data: Record<string, unknown> }>;
};

/** The person whom the model works for. */
export type ToldPerson = {
  /** What they said at the beginning, by the names that tools give it. */
  wants: Record<string, unknown>;
  /** They read what the model tells them and do it; false where they will not. */
  told: (nextStep: string, answer: Record<string, unknown>) => boolean;
  /** Time passes. */
  wait: (seconds: number) => void;
};

const next = z.object({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  again: z.boolean(),
  personFirst: z.boolean(),
  afterS: z.int(),
});
const answerShape = z.looseObject({ nextStep: z.string(), next: next.nullable() });
const schemaShape = z.looseObject({ properties: z.record(z.string(), z.unknown()).default({}) });

/** More calls than this for one thing are a loop. */
const maxCalls = 14;

/** How it went: the calls in their order, and the last answer. */
export type Played = { calls: string[]; last: Record<string, unknown> };

/**
 * Works for a person the way a model does that has never seen these tools: begins with the tool that the server names
 * first, and then makes the call that each answer says. It knows no tool by name, and no state of anything.
 */
export const playFreshModel = async (seen: SeenTools, person: ToldPerson): Promise<Played> => {
  const names = seen.tools.map(({ name }) => name);
  const first = [...seen.instructions.matchAll(/\w+/g)].map(([word]) => word).find((word) => names.includes(word));
  if (first === undefined) throw new Error('The server names no tool to begin with.');
  /** What the person said, as far as that tool has an argument for it. */
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
    const { next: follows, nextStep } = answerShape.parse(data);
    if (follows === null) return { calls, last: data };
    if (follows.personFirst && !person.told(nextStep, data)) return { calls, last: data };
    if (follows.afterS > 0) person.wait(follows.afterS);
    if (!follows.again) now = { tool: follows.tool, args: { ...wanted(follows.tool), ...follows.arguments } };
  }
};
