// A practice service in a separate process, so that its memory and files are not counted with the companion's. Sends
// its address to its parent and ends with it.
import { startTestPractice } from '../practice.ts';

const practice = await startTestPractice();
process.once('disconnect', () => void practice.close().then(() => process.exit(0)));
process.send?.(practice.url);
