import { cases } from './cases.ts';
import { matrix } from './matrix.ts';

matrix(
  'whatever goes wrong with a request that is simply sent',
  cases.filter(({ asked }) => !asked),
);
