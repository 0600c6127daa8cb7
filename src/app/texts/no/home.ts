import type { Translation } from '../translation.ts'

/** Texts of the interface in Norwegian Bokmål. */
const translation: Translation = {
  'home.title': 'Hjem',
  'home.joined': 'Du er nå med i {organization}.',
  'home.reviews': 'Vurderinger som venter på deg',
  'home.noReviews': 'Ingen vurderinger venter på deg.',
  'home.drafts': 'Dine endringsforespørsler',
  'home.noDrafts':
    'Ingenting pågår. Åpne en side og velg Rediger: en endringsforespørsel samler endringene dine til de går live.',
  'home.live': 'Nylig live',
  'home.noLive': 'Ingenting er flettet ennå.',
  'home.secondFactor': 'Tofaktorautentisering kreves',
  'home.secondFactorHint':
    'Legg til en tilgangsnøkkel eller en autentiseringsapp i kontoen din, og logg deretter inn med den.',
  'home.account': 'Åpne kontoen din',
  'homeSpaces.title': 'Områder',
  'homeSpaces.newSpace': 'Nytt område',
  'homeSpaces.more.one': '{count} område til finnes i navigasjonen og i søket.',
  'homeSpaces.more.other': '{count} områder til finnes i navigasjonen og i søket.',
  'mentions.title': 'Omtaler',
  'mentions.by': '{name} omtalte deg',
  'recentPages.title': 'Nylig vist',
  'spaceSource.template': 'Start med en mal',
  'spaceSource.templateHint': 'En veiledning, en kunnskapsbase og mer, klart til å fylles ut.',
  'spaceSource.git': 'Importer et Git-repositorium',
  'spaceSource.gitHint': 'Markdown fra GitHub, GitLab eller en annen tjeneste, deretter synkronisert begge veier.',
  'spaceSource.website': 'Importer et nettsted',
  'spaceSource.websiteHint': 'Leser sidene under en adresse, med bilder.',
  'spaceSource.files': 'Last opp filer',
  'spaceSource.filesHint': 'Markdown, HTML eller et ZIP-arkiv med slike filer.',
  'spaceSource.blank': 'Start med et tomt område',
  'spaceSource.blankHint': 'Én side med de neste stegene.',
  'start.noOrganization': 'Ingen organisasjon ennå',
  'start.noOrganizationHint': 'Be et medlem av organisasjonen din om en invitasjon.',
  'waysToStart.title': 'Opprett ditt første område',
  'waysToStart.text':
    'Et område inneholder sider. Skriv dem her, vurder endringer sammen, og publiser dem som et nettsted.',
  'waysToStart.noSpaces': 'Ingen områder ennå',
  'waysToStart.noSpacesHint': 'Områder vises her så snart et medlem av organisasjonen deler et med deg.',
}

export default translation
