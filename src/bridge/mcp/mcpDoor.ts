import type { AssistantApi } from '../door.ts';

/** What the tools use of the assistants' API: they have no other way to the service. */
export type ToolApi = Pick<AssistantApi, 'call' | 'approval' | 'addItem' | 'item' | 'me'>;
