import type { ServerResponse } from 'node:http';

/**
 * Keeps what answers that were not taken yet hold together below so many bytes: when one more goes over it, those that
 * have waited longest for their reader are cut off.
 */
export const heldBytes = (most: number): ((response: ServerResponse, bytes: number) => void) => {
  const waiting = new Map<ServerResponse, number>();
  let held = 0;
  const letGo = (response: ServerResponse): void => {
    held -= waiting.get(response) ?? 0;
    waiting.delete(response);
  };
  return (response, bytes) => {
    for (const oldest of waiting.keys()) {
      if (held + bytes <= most) break;
      letGo(oldest);
      oldest.destroy();
    }
    held += bytes;
    waiting.set(response, bytes);
    response.once('close', () => letGo(response));
  };
};
