import type { Words } from '../words.ts';

export const help: Words['help'] = {
  title: 'Ayuda',
  guide: 'Cómo funciona',
  photosTitle: 'De las fotos al anuncio',
  photos:
    'Arrastre una carpeta de fotos a la ventana; cada carpeta se convierte en un artículo. Las fotos se giran, se reducen y se limpian de datos de lugar y cámara en este ordenador, y después se envían. A partir de ellas, el servicio redacta el título, la descripción, la categoría y el precio. Sus propios archivos no se modifican nunca.',
  reviewTitle: 'Su revisión',
  review:
    'El artículo redactado espera en Artículos. Léalo y cambie lo que no esté bien; lo que el marketplace aún necesita se indica junto al campo. Todavía no se ha publicado nada.',
  yesTitle: 'Su visto bueno',
  yes: 'Al publicar se muestra una hoja con la foto, el precio y la tarifa del marketplace. Solo se publica con su visto bueno en ella. Cuando se venda, una notificación se lo dirá.',
  neverTitle: 'Lo que nunca ocurre sin su visto bueno',
  never:
    'Publicar, modificar o finalizar un anuncio activo, eliminar, redactar un texto de nuevo, activar o reservar extras, abrir una página de pago, cambiar las políticas y los valores de venta predeterminados, desconectar y enviar un mensaje al servicio. Cada cosa se pregunta con su propia hoja, y solo usted puede responder.',
  assistantsTitle: 'Asistentes',
  assistants:
    'Los asistentes de IA de este ordenador pueden trabajar a través de Companion cuando usted les da acceso. Pueden añadir fotos, encargar la redacción de anuncios, editar borradores y solicitar lo demás. No pueden dar el visto bueno, ver su clave, abrir una página de pago ni pasar los límites que usted fije. Todo lo que hacen figura en Asistentes.',
  keyTitle: 'Su clave y el servicio de práctica',
  key: 'La clave de su cuenta está en el llavero de este ordenador y en ningún otro sitio; ningún asistente ni registro la recibe nunca. El servicio de práctica funciona solo en este ordenador: sin cuenta, sin dinero, y nada sale de aquí. Pruébelo todo allí primero.',
  tour: 'Mostrar la visita guiada',
  keys: 'Atajos de teclado',
  trouble: 'Cuando algo no funciona',
  offline: 'Sin conexión',
  offlineText: 'Una línea arriba lo indica, y también lo que sigue funcionando. Desaparece sola; no se pierde nada.',
  stopped: 'Un artículo no avanza',
  stoppedText: 'Ábralo: indica el motivo y ofrece el siguiente paso.',
  reconnect: 'El servicio ya no reconoce Companion',
  reconnectText: 'Conéctese de nuevo en <account>Cuenta</account>. Los artículos y anuncios se conservan.',
  diagnostics: 'Alguien le ayuda',
  diagnosticsText:
    'Los registros y el archivo de diagnóstico están en <settings>Ajustes</settings>. Lea el archivo antes de enviarlo.',
  contact: 'Escribir al servicio',
  contactText: 'Su mensaje llega al equipo del servicio. Lo verá una vez más antes de que se envíe.',
  reply: 'Responder a',
  replyWrong: 'Para la respuesta hace falta una dirección de correo.',
  message: 'Mensaje',
  messageWrong: '¿Qué le gustaría decir?',
  send: 'Enviar…',
  waits: 'Espera su visto bueno.',
  notSent: 'No se ha enviado. Lo que ha escrito sigue aquí.',
  sent: 'Enviado. La respuesta llegará por correo a {{email}}.',
  notConnected: 'Conéctese primero; después podrá enviar un mensaje desde aquí.',
};
