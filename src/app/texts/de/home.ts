import type { Translation } from '../translation.ts'

/** Texts of the interface in German. */
const translation: Translation = {
  'home.title': 'Startseite',
  'home.joined': 'Beitritt zu {organization} abgeschlossen.',
  'home.reviews': 'Ausstehende Reviews',
  'home.noReviews': 'Keine ausstehenden Reviews.',
  'home.drafts': 'Eigene Änderungsvorschläge',
  'home.noDrafts':
    'Nichts in Arbeit. Eine Seite öffnen und „Bearbeiten“ wählen: Ein Änderungsvorschlag sammelt die Änderungen, bis sie live gehen.',
  'home.live': 'Kürzlich live gegangen',
  'home.noLive': 'Noch nichts zusammengeführt.',
  'home.secondFactor': 'Ein zweiter Faktor ist erforderlich',
  'home.secondFactorHint':
    'Dem Konto einen Passkey oder eine Authenticator-App hinzufügen und sich dann damit anmelden.',
  'home.account': 'Konto öffnen',
  'homeSpaces.title': 'Bereiche',
  'homeSpaces.newSpace': 'Neuer Bereich',
  'homeSpaces.more.one': '{count} weiterer Bereich ist in der Navigation und in der Suche zu finden.',
  'homeSpaces.more.other': '{count} weitere Bereiche sind in der Navigation und in der Suche zu finden.',
  'mentions.title': 'Erwähnungen',
  'mentions.by': 'Erwähnt von {name}',
  'recentPages.title': 'Zuletzt angesehen',
  'spaceSource.template': 'Mit einer Vorlage beginnen',
  'spaceSource.templateHint': 'Ein Handbuch, eine Wissensdatenbank und mehr, bereit zum Ausfüllen.',
  'spaceSource.git': 'Git-Repository importieren',
  'spaceSource.gitHint':
    'Markdown von GitHub, GitLab oder einem anderen Anbieter; später in beide Richtungen synchronisiert.',
  'spaceSource.website': 'Website importieren',
  'spaceSource.websiteHint': 'Liest die Seiten unter einer Adresse mit ihren Bildern.',
  'spaceSource.files': 'Dateien hochladen',
  'spaceSource.filesHint': 'Markdown, HTML oder ein ZIP-Archiv davon.',
  'spaceSource.blank': 'Mit einem leeren Bereich beginnen',
  'spaceSource.blankHint': 'Eine Seite mit den nächsten Schritten.',
  'start.noOrganization': 'Noch keine Organisation',
  'start.noOrganizationHint': 'Ein Mitglied der Organisation kann eine Einladung senden.',
  'waysToStart.title': 'Ersten Bereich erstellen',
  'waysToStart.text':
    'Ein Bereich enthält Seiten. Hier lassen sie sich schreiben, Änderungen gemeinsam prüfen und als Website veröffentlichen.',
  'waysToStart.noSpaces': 'Noch kein Bereich',
  'waysToStart.noSpacesHint': 'Bereiche erscheinen hier, sobald ein Mitglied der Organisation sie freigibt.',
}

export default translation
