import { en } from './en/index.ts';
import { saying, type Given, type Saying, type SayingKey } from './saying.ts';
import { speaker } from './speaker.ts';

// British English names foreign dollars apart (US$, CA$, AU$), which American English does not.
const speak = speaker('en-GB', en);

/** The English sentence of a saying; empty for one whose text is gone. */
export const inEnglish = (wanted: Saying): string => speak(wanted) ?? '';

/** The English sentence of a key. */
export const english = <K extends SayingKey>(key: K, ...values: Given<K>): string => inEnglish(saying(key, ...values));
