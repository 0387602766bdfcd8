import { cases } from './cases.ts';
import { matrix } from './matrix.ts';

matrix(
  'faults of requests that need no approval',
  cases.filter(({ asked }) => !asked),
);
