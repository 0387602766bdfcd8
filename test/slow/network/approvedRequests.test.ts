import { cases } from './cases.ts';
import { matrix } from './matrix.ts';

matrix(
  'whatever goes wrong with a request that the person said yes to',
  cases.filter(({ asked }) => asked),
);
