// The tasks of the bench `scale`, each in a process of its own. `node bench/scale/task.ts make DIR FACTOR` makes a shop
// that stays; its data folder is DIR/data.
import { makeShop } from './makeShop.ts';
import { measureShop } from './measureShop.ts';

const [name, root = '', factor = '1'] = process.argv.slice(2);
const answer = name === 'make' ? await makeShop(root, Number(factor)) : await measureShop(root);
if (process.send) process.send(answer ?? null);
else if (answer) console.table(answer);
