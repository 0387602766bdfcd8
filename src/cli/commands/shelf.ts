import * as z from 'zod';
import { parseAnswerBody } from '../bridgeClient.ts';
import { toTerminalText, type Command } from '../command.ts';

const text = z.string().nullable();
const shelfAnswer = z.looseObject({
  shelf: z.object({ sku: text, place: text, tags: z.array(z.string()), note: text }),
});

const splitTags = (tags: string): string[] =>
  tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

const formatShelf = ({ shelf }: z.infer<typeof shelfAnswer>): string[] => {
  const lines = Object.entries({ ...shelf, tags: shelf.tags.join(', ') }).flatMap(([name, value]) =>
    value === null || value === '' ? [] : [`${name.padEnd(6)} ${toTerminalText(value, 300)}`],
  );
  return lines.length === 0 ? ['Nothing is stored.'] : lines;
};

/** What only the person knows about a listing. Without flags the command reads, and otherwise it changes. */
export const shelfCommand: Command = {
  takes: ['ID'],
  flags: { sku: { type: 'string' }, place: { type: 'string' }, tags: { type: 'string' }, note: { type: 'string' } },
  help: `  --place PLACE        Where it is
  --sku SKU            The number on its label
  --tags TAG,TAG       All its tags
  --note TEXT          What else the person knows

An empty text clears a field. ID is that of a listing. The person gives the right to this under Assistants; nothing of
it is sent to the service.`,
  run: async ({ given: [id = ''], flags: { tags, ...flags }, bridge, out }) => {
    const path = `/companion/listings/${encodeURIComponent(id)}/shelf`;
    const changes = { ...flags, ...(typeof tags === 'string' ? { tags: splitTags(tags) } : {}) };
    const { body } =
      Object.keys(changes).length === 0
        ? await bridge.call('GET', path)
        : await bridge.call('PUT', path, { body: changes });
    out.result(formatShelf(parseAnswerBody(shelfAnswer, body)), body);
    return 'ok';
  },
};
