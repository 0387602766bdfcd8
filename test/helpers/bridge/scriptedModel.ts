import type { SeenTools } from './freshModel.ts';

type Arguments = Record<string, unknown>;
type CallRow = { tool: string; args: string; bytes: number };

const idShape = /^(lst|ap|ba|it|as)_[\w-]+$/;

const listStrings = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listStrings) : [];
};

/** Returns what an answer says about the next step, at any depth. */
const listSteps = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, one]) =>
        /^next(Step|Steps)?$/.test(name) ? listStrings(one) : listSteps(one),
      );

/**
 * A model that follows a script. It refuses a call to which nothing led: a tool that no answer has named since the
 * person's last wish, and an id that no answer contained.
 */
export const createScriptedModel = ({ tools, call }: Pick<SeenTools, 'tools' | 'call'>) => {
  const rows: CallRow[] = [];
  const toolNames = tools.map(({ name }) => name).join(' ');
  const knownIds = new Set<string>();
  let said = toolNames;

  return {
    rows,
    /** The person wants something else: the model chooses the next tool from the list. */
    hearWish: (): void => void (said = toolNames),
    make: async (tool: string, args: Arguments = {}): Promise<Record<string, unknown>> => {
      if (!said.includes(tool)) throw new Error(`Nothing led to ${tool}, only to: ${said}`);
      const unknown = listStrings(args).filter((one) => idShape.test(one) && !knownIds.has(one));
      if (unknown.length > 0) throw new Error(`No answer contained ${unknown.join(', ')}.`);
      const { data } = await call(tool, args);
      for (const one of listStrings(data)) if (idShape.test(one)) knownIds.add(one);
      const steps = listSteps(data).join(' ');
      said = said === toolNames ? steps : `${said} ${steps}`;
      const code = typeof data['code'] === 'string' ? ` (${data['code']})` : '';
      const bytes = Buffer.byteLength(JSON.stringify(data));
      rows.push({ tool: `${tool}${code}`, args: JSON.stringify(args), bytes });
      return data;
    },
  };
};

export const sumBytes = (rows: readonly CallRow[]): number => rows.reduce((sum, { bytes }) => sum + bytes, 0);

/** Formats each call with the size of its arguments and of its answer. */
export const formatTranscript = (rows: readonly CallRow[]): string =>
  [
    ...rows.map(
      ({ tool, args, bytes }, at) => `${at + 1}. ${tool}: ${args.length} characters sent, ${bytes} bytes answered`,
    ),
    `${rows.length} calls, ${sumBytes(rows)} bytes answered`,
  ].join('\n');
