import type { Translation } from '../translation.ts'

/** Texts of the interface in French. */
const translation: Translation = {
  'home.title': 'Accueil',
  'home.joined': 'Vous avez rejoint {organization}.',
  'home.reviews': 'Relectures qui vous attendent',
  'home.noReviews': 'Aucune relecture ne vous attend.',
  'home.drafts': 'Vos demandes de modification',
  'home.noDrafts':
    "Rien en cours. Ouvrez une page et choisissez Modifier : une demande de modification regroupe vos modifications jusqu'à leur mise en ligne.",
  'home.live': 'Mis en ligne récemment',
  'home.noLive': "Rien n'a encore été fusionné.",
  'home.secondFactor': 'Un second facteur est requis',
  'home.secondFactorHint':
    "Ajoutez une clé d'accès ou une application d'authentification à votre compte, puis connectez-vous avec.",
  'home.account': 'Ouvrir votre compte',
  'homeSpaces.title': 'Espaces',
  'homeSpaces.newSpace': 'Nouvel espace',
  'homeSpaces.more.many': "{count} d'autres espaces se trouvent dans la navigation et dans la recherche.",
  'homeSpaces.more.one': '{count} autre espace se trouve dans la navigation et dans la recherche.',
  'homeSpaces.more.other': '{count} autres espaces se trouvent dans la navigation et dans la recherche.',
  'mentions.title': 'Mentions',
  'mentions.by': '{name} vous a mentionné',
  'recentPages.title': 'Vues récemment',
  'spaceSource.template': "Partir d'un modèle",
  'spaceSource.templateHint': 'Un guide, une base de connaissances et plus encore, prêts à remplir.',
  'spaceSource.git': 'Importer un dépôt Git',
  'spaceSource.gitHint':
    'Markdown depuis GitHub, GitLab ou tout autre hébergeur ; synchronisé ensuite dans les deux sens.',
  'spaceSource.website': 'Importer un site web',
  'spaceSource.websiteHint': 'Lit les pages sous une adresse, avec leurs images.',
  'spaceSource.files': 'Envoyer des fichiers',
  'spaceSource.filesHint': 'Markdown, HTML ou une archive ZIP qui en contient.',
  'spaceSource.blank': "Partir d'un espace vierge",
  'spaceSource.blankHint': 'Une page avec les étapes suivantes.',
  'start.noOrganization': 'Aucune organisation pour le moment',
  'start.noOrganizationHint': 'Demandez une invitation à un membre de votre organisation.',
  'waysToStart.title': 'Créez votre premier espace',
  'waysToStart.text':
    'Un espace contient des pages. Écrivez-les ici, relisez les modifications ensemble et publiez-les sous forme de site.',
  'waysToStart.noSpaces': 'Aucun espace pour le moment',
  'waysToStart.noSpacesHint':
    "Les espaces apparaissent ici dès qu'un membre de votre organisation en partage un avec vous.",
}

export default translation
