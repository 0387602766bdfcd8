import type { Words } from '../saying.ts';

export const outcomes: Words['outcomes'] = {
  done: 'Fatto.',
  published: 'Pubblicata. L’inserzione è online.',
  ended: 'L’inserzione è terminata.',
  deleted: 'L’inserzione è stata eliminata.',
  revised: 'L’inserzione online è stata modificata.',
  writing: 'L’inserzione viene riscritta.',
  checkout: 'La pagina di pagamento è pronta da aprire. Nessun addebito prima di pagare lì.',
  billing: 'Le pagine di fatturazione sono pronte da aprire.',
  aside: 'Gli extra sono riservati per 24 ore. Arriva una ricevuta per e-mail.',
  policies: 'Le regole iniziali sono state create.',
  defaults: 'I valori predefiniti sono stati salvati.',
};
