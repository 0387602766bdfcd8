import { companion } from './call.ts';

/** Where this window finds what the core names by a path; other addresses, as those of dropped files, stay as they are. */
export const addressOf = (path: string): string => (path.startsWith('/') ? companion().base + path : path);
