import type { Agent } from 'undici';

/** Gives the connections that requests leave by. */
export type Wire = () => Promise<Agent>;

/** At once to one place. */
const connections = 32;

/**
 * Connections to the outside, a limited number to one place. Silence is judged by our own clock, so none is judged
 * here. The HTTP library is loaded with the first request: a start does without it.
 */
export const createWire = (): Wire => {
  let opening: Promise<Agent> | undefined;
  const open = async (): Promise<Agent> => {
    const { Agent } = await import('undici');
    return new Agent({ connections, headersTimeout: 0, bodyTimeout: 0 });
  };
  return () => (opening ??= open());
};
