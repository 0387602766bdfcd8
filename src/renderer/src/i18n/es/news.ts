import type { Words } from '../words.ts';

export const news: Words['news'] = {
  title: 'Notificaciones',
  list: 'Notificaciones, las más recientes primero',
  new: 'Nueva',
  unread: 'Sin abrir',
  open: 'Abrir el anuncio',
  markRead: 'Marcar como leída',
  readAt: 'Última consulta: <when/>. Se comprueban cada minuto mientras no haya nada en pausa.',
  notYet: 'Se consultan en el servicio en menos de un minuto.',
  emptyTitle: 'Aquí estarán sus notificaciones',
  empty: 'Ventas, resultados de publicar y avisos sobre su cuenta. La primera llega cuando se publica un anuncio.',
  firstStep: 'Revisar lo que está listo',
  kind: {
    sale: 'Venta',
    published: 'Publicado',
    listing_ready: 'Listo para revisar',
    listing_failed: 'Sin redactar',
    account: 'Cuenta',
    other: 'Aviso',
  },
};
