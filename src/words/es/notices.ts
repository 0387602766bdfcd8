import type { Words } from '../saying.ts';

export const notices: Words['notices'] = {
  written: 'Listo para revisar',
  manyWritten: { one: '{{count}} anuncio listo para revisar', other: '{{count}} anuncios listos para revisar' },
  writtenText: 'No se publica nada sin su visto bueno.',
  sold: 'Vendido',
  manySold: { one: '{{count}} anuncio vendido', other: '{{count}} anuncios vendidos' },
  soldText: 'Ábralo para ver qué hacer ahora.',
  untitled: 'Un anuncio',
  asks: '{{name}} solicita: {{act}}',
  plain: '{{text}}',
  joined: '{{before}} · {{next}}',
  connectionEnded: 'La conexión con su cuenta ha terminado',
  connectAgain: 'Vuelva a conectarla para continuar; todo se conserva como está.',
  offline: 'No se puede acceder al servicio. Companion lo sigue intentando; no se pierde nada.',
  folderGone: 'La carpeta vigilada «{{name}}» no está. Devuélvala a su sitio o elija otra en Ajustes.',
  folderElsewhere:
    'La carpeta vigilada «{{name}}» lleva ahora a otro lugar, por lo que no se toma nada de ella. Si es correcto, vuelva a elegirla en Ajustes.',
  keychainMissing: 'Companion se ha instalado sin acceso al llavero del sistema. {{then}}',
  libsecretMissing:
    'No se puede acceder al llavero del sistema porque la biblioteca libsecret no está instalada. {{then}}',
  keychainUnused: '{{why}} {{then}}',
  thisRunOnly:
    'Su clave se conserva solo durante esta sesión; la próxima vez que inicie Companion tendrá que conectarse de nuevo.',
  quoted: '«{{text}}»',
  fact: '{{label}}: {{value}}',
  differs: 'Lo publicado difiere de lo que aceptó',
  differsText: '«{{title}}»: mire las diferencias. Puede finalizarlo ahora.',
};
