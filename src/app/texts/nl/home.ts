import type { Translation } from '../translation.ts'

/** Texts of the interface in Dutch. */
const translation: Translation = {
  'home.title': 'Start',
  'home.joined': 'Je bent nu lid van {organization}.',
  'home.reviews': 'Beoordelingen die op je wachten',
  'home.noReviews': 'Er wachten geen beoordelingen op je.',
  'home.drafts': 'Je wijzigingsverzoeken',
  'home.noDrafts':
    'Niets in bewerking. Open een pagina en kies Bewerken: een wijzigingsverzoek verzamelt je wijzigingen totdat ze live gaan.',
  'home.live': 'Onlangs live gegaan',
  'home.noLive': 'Er is nog niets samengevoegd.',
  'home.secondFactor': 'Een tweede factor is verplicht',
  'home.secondFactorHint': 'Voeg een passkey of een authenticator-app toe aan je account en meld je daarmee aan.',
  'home.account': 'Je account openen',
  'homeSpaces.title': 'Ruimtes',
  'homeSpaces.newSpace': 'Nieuwe ruimte',
  'homeSpaces.more.one': 'Nog {count} ruimte is te vinden in de navigatie en de zoekfunctie.',
  'homeSpaces.more.other': 'Nog {count} ruimtes zijn te vinden in de navigatie en de zoekfunctie.',
  'mentions.title': 'Vermeldingen',
  'mentions.by': '{name} heeft je vermeld',
  'recentPages.title': 'Onlangs bekeken',
  'spaceSource.template': 'Beginnen met een sjabloon',
  'spaceSource.templateHint': 'Een gids, een kennisbank en meer, klaar om in te vullen.',
  'spaceSource.git': 'Git-repository importeren',
  'spaceSource.gitHint': 'Markdown van GitHub, GitLab of een andere host; later in beide richtingen gesynchroniseerd.',
  'spaceSource.website': 'Website importeren',
  'spaceSource.websiteHint': "Leest de pagina's onder een adres, met hun afbeeldingen.",
  'spaceSource.files': 'Bestanden uploaden',
  'spaceSource.filesHint': 'Markdown, HTML of een ZIP-archief daarvan.',
  'spaceSource.blank': 'Beginnen met een lege ruimte',
  'spaceSource.blankHint': 'Eén pagina met de volgende stappen.',
  'start.noOrganization': 'Nog geen organisatie',
  'start.noOrganizationHint': 'Vraag een lid van je organisatie om een uitnodiging.',
  'waysToStart.title': 'Maak je eerste ruimte',
  'waysToStart.text':
    "Een ruimte bevat pagina's. Schrijf ze hier, beoordeel wijzigingen samen en publiceer ze als site.",
  'waysToStart.noSpaces': 'Nog geen ruimte',
  'waysToStart.noSpacesHint': 'Je ziet hier ruimtes zodra een lid van je organisatie er een met je deelt.',
}

export default translation
