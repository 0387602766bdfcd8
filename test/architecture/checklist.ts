import { access } from './checklist/access.ts';
import { codes } from './checklist/codes.ts';
import { limits } from './checklist/limits.ts';
import { publishing } from './checklist/publishing.ts';
import { states } from './checklist/states.ts';
import type { Row } from './checklist/row.ts';

/** Every row of the interface document with its tests. The key is the row's code or a hash of its text. */
export const checklist: Record<string, Row> = { ...states, ...access, ...codes, ...publishing, ...limits };
