import { access } from './checklist/access.ts';
import { codes } from './checklist/codes.ts';
import { limits } from './checklist/limits.ts';
import { publishing } from './checklist/publishing.ts';
import { states } from './checklist/states.ts';
import type { Row } from './checklist/row.ts';

/** Every row of the interface document, and where it is proved. Rows are known by their code or a hash of their text. */
export const checklist: Record<string, Row> = { ...states, ...access, ...codes, ...publishing, ...limits };
