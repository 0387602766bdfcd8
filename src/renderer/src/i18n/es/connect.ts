import type { Words } from '../words.ts';

export const connect: Words['connect'] = {
  title: 'Conectar mi cuenta',
  connect: 'Conectar',
  back: 'Atrás',
  lead: 'Arrastre carpetas de fotos. Cada una se convierte en un anuncio redactado. Usted lo revisa, y no se publica ni se paga nada sin su visto bueno.',
  lookAround: 'Echar un vistazo primero',
  lookAroundText: 'En este ordenador hay un servicio de práctica. Sin cuenta, sin dinero, y nada sale de aquí.',
  practice: 'Probar con datos de práctica',
  forReal: 'Vender de verdad',
  forRealText: 'Con la dirección de correo de su cuenta en el servicio; si no tiene, se crea una gratuita.',
  email: 'Correo electrónico',
  emailHelp: 'La dirección de su cuenta. Si aún no hay ninguna, se crea una cuenta gratuita.',
  emailNext:
    'Se le envía un código de 6 cifras por correo. Puede leer las condiciones y la política de privacidad antes de introducir el código.',
  sendCode: 'Enviarme un código',
  code: 'Código de 6 cifras',
  codeHelp: 'Sirve durante 10 minutos y una sola vez.',
  newCode: 'Enviar otro código',
  otherAddress: 'Usar otra dirección',
  terms:
    'Se ha enviado un código a <email/>. Al conectarse acepta las <terms>condiciones</terms> y la <privacy>política de privacidad</privacy> del servicio. Si aún no hay una cuenta con esta dirección, se crea una gratuita.',
  tour: {
    name: 'Visita guiada',
    at: 'Paso {{at}} de {{of}}',
    dropTitle: 'Arrastre fotos',
    drop: 'Arrastre una carpeta de fotos a cualquier punto de esta ventana. Cada carpeta se convierte en un artículo, y con sus fotos se redacta un anuncio.',
    lookTitle: 'Revíselo',
    look: 'El artículo redactado espera su revisión en Artículos. Cambie lo que no esté bien; aún no se ha publicado nada.',
    yesTitle: 'Dé su visto bueno',
    yes: 'Antes de publicar o pagar algo, una hoja muestra qué es y cuánto cuesta. Solo se envía con su visto bueno en ella.',
    back: 'Atrás',
    next: 'Siguiente',
    done: 'Listo',
    skip: 'Saltar la visita',
  },
};
