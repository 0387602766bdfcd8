// The tasks of the bench `scale`, each in a process of its own. `node bench/scale/task.ts make DIR FACTOR` makes a shop
// that stays; its data folder is DIR/data.
import { makeShop } from './makeShop.ts';
import { measureComputer } from './measureComputer.ts';
import { measureMemory } from './measureMemory.ts';
import { measureDrop, measureShop } from './measureShop.ts';
import { measureWindow } from './measureWindow.ts';

const [name = '', root = '', factor = '1'] = process.argv.slice(2);

const tasks: Record<string, () => Promise<unknown>> = {
  computer: () => measureComputer(),
  make: () => makeShop(root, Number(factor)),
  measure: () => measureShop(root),
  drop: () => measureDrop(root),
  memory: () => measureMemory(root),
  browser: () => measureWindow(root, 'browser'),
  desktop: () => measureWindow(root, 'desktop'),
};
const answer = await tasks[name]?.();
if (process.send) process.send(answer ?? null);
else if (answer) console.table(answer);
