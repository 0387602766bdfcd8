import { structuredPatch } from 'diff';
import type { DiffLine } from '../../ipc/clients.ts';

const contextLines = 2;
const kinds: Record<string, DiffLine['kind']> = { '+': 'added', '-': 'removed' };

/** A value of somebody else's that is not to be read over a shoulder. */
const secretValue = /((?:token|secret|key|password|authorization|credential)[\w-]*["']?\s*[:=]\s*)(?!\{|\[).+$/i;

/** What changes between two texts, with a few lines around it. Secrets of others beside it are not shown. */
export const settingsDiff = (before: string, after: string): DiffLine[] =>
  structuredPatch('', '', before, after, '', '', { context: contextLines }).hunks.flatMap(({ lines }) =>
    lines
      .filter((line) => !line.startsWith('\\'))
      .map((line) => {
        const kind = kinds[line[0] ?? ''] ?? 'same';
        const text = line.slice(1).replace(/\r$/, '');
        return { kind, text: kind === 'added' ? text : text.replace(secretValue, '$1…') };
      }),
  );
