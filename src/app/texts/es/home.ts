import type { Translation } from '../translation.ts'

/** Texts of the interface in Spanish. */
const translation: Translation = {
  'home.title': 'Inicio',
  'home.joined': 'Te has unido a {organization}.',
  'home.reviews': 'Revisiones que te esperan',
  'home.noReviews': 'No te espera ninguna revisión.',
  'home.drafts': 'Tus solicitudes de cambios',
  'home.noDrafts':
    'Nada en curso. Abre una página y elige Editar: una solicitud de cambios reúne tus cambios hasta que estén en línea.',
  'home.live': 'Puesto en línea recientemente',
  'home.noLive': 'Aún no se ha fusionado nada.',
  'home.secondFactor': 'Se requiere un segundo factor',
  'home.secondFactorHint':
    'Añade una llave de acceso o una aplicación de autenticación a tu cuenta y después inicia sesión con ella.',
  'home.account': 'Abrir tu cuenta',
  'homeSpaces.title': 'Espacios',
  'homeSpaces.newSpace': 'Nuevo espacio',
  'homeSpaces.more.many': '{count} de espacios más están en la navegación y en la búsqueda.',
  'homeSpaces.more.one': '{count} espacio más está en la navegación y en la búsqueda.',
  'homeSpaces.more.other': '{count} espacios más están en la navegación y en la búsqueda.',
  'mentions.title': 'Menciones',
  'mentions.by': '{name} te mencionó',
  'recentPages.title': 'Vistas recientemente',
  'spaceSource.template': 'Empezar con una plantilla',
  'spaceSource.templateHint': 'Una guía, una base de conocimientos y más, listas para rellenar.',
  'spaceSource.git': 'Importar un repositorio Git',
  'spaceSource.gitHint':
    'Markdown de GitHub, GitLab o cualquier otro servidor; después se sincroniza en ambos sentidos.',
  'spaceSource.website': 'Importar un sitio web',
  'spaceSource.websiteHint': 'Lee las páginas que hay bajo una dirección, con sus imágenes.',
  'spaceSource.files': 'Subir archivos',
  'spaceSource.filesHint': 'Markdown, HTML o un archivo ZIP que los contenga.',
  'spaceSource.blank': 'Empezar con un espacio en blanco',
  'spaceSource.blankHint': 'Una página con los siguientes pasos.',
  'start.noOrganization': 'Aún no hay ninguna organización',
  'start.noOrganizationHint': 'Pide una invitación a un miembro de tu organización.',
  'waysToStart.title': 'Crea tu primer espacio',
  'waysToStart.text':
    'Un espacio contiene páginas. Escríbelas aquí, revisa los cambios en equipo y publícalas como sitio.',
  'waysToStart.noSpaces': 'Aún no hay espacios',
  'waysToStart.noSpacesHint':
    'Los espacios aparecen aquí en cuanto un miembro de tu organización comparte uno contigo.',
}

export default translation
