import type { Door } from '../door.ts';

/** What the tools use of the bridge's door: they have no other way to the service. */
export type McpDoor = Pick<Door, 'call' | 'approval' | 'addItem' | 'item' | 'me'>;
