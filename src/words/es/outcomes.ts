import type { Words } from '../saying.ts';

export const outcomes: Words['outcomes'] = {
  done: 'Hecho.',
  published: 'Publicado. El anuncio está activo.',
  ended: 'El anuncio ha finalizado.',
  deleted: 'El anuncio se ha eliminado.',
  revised: 'El anuncio activo se ha modificado.',
  writing: 'El anuncio se está redactando de nuevo.',
  checkout: 'La página de pago está lista para abrirla. No se cobra nada hasta que pague en ella.',
  billing: 'Sus páginas de facturación están listas para abrirlas.',
  aside: 'Los extras quedan reservados durante 24 horas. Recibirá un justificante por correo.',
  policies: 'Se han creado las políticas iniciales.',
  defaults: 'Se han guardado los valores predeterminados.',
};
