import type { Tool as WireTool } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { portable } from './portableSchema.ts';
import type { Tool } from './tool.ts';
import { toolProblem } from './toolProblem.ts';
import { tools } from './tools/index.ts';

type ObjectSchema = { [key: string]: unknown; type: 'object' };

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): ObjectSchema => ({
  ...portable(z.toJSONSchema(schema, { io })),
  type: 'object',
});

/**
 * Clients hold every answer against the schema, refusals too: so it describes both. The root says `type: object`, as
 * the older revision wants it.
 */
const wireTool = ({ name, title, description, input, output, hints }: Tool): WireTool => ({
  name,
  title,
  description,
  inputSchema: schemaOf(input, 'input'),
  outputSchema: schemaOf(z.union([output, toolProblem]), 'output'),
  annotations: { title, ...hints },
});

/** The tools as clients see them, made once. */
export const toolList: WireTool[] = tools.map(wireTool);
