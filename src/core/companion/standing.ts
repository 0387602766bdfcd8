import { inputOf, standing as standingShape, type Standing } from '../../contract/index.ts';
import type { Foundation } from './foundation.ts';

/** The standing as the service answered it last; windows and items read it from here. */
export type StandingMemory = {
  last: () => Standing | null;
  keep: (answer: unknown) => Standing;
  forget: () => void;
  /** The standing as the service has it now. Throws `ServiceError`. */
  read: (signal?: AbortSignal) => Promise<Standing>;
};

export const createStandingMemory = ({ client, changed }: Foundation): StandingMemory => {
  let last: Standing | null = null;
  const keep = (answer: unknown): Standing => {
    const standing = standingShape.parse(answer);
    last = standing;
    changed('app');
    return standing;
  };
  return {
    last: () => last,
    keep,
    forget: () => void (last = null),
    read: async (signal) => keep((await client.send('readStanding', inputOf('readStanding', {}), { signal })).answer),
  };
};
