import type { Translation } from '../translation.ts'

/** Texts of the interface in Portuguese of Brazil. */
const translation: Translation = {
  'home.title': 'Início',
  'home.joined': 'Agora você faz parte de {organization}.',
  'home.reviews': 'Revisões aguardando você',
  'home.noReviews': 'Nenhuma revisão aguardando você.',
  'home.drafts': 'Suas solicitações de alteração',
  'home.noDrafts':
    'Nada em andamento. Abra uma página e escolha Editar: uma solicitação de alteração reúne suas alterações até que entrem no ar.',
  'home.live': 'Entraram no ar recentemente',
  'home.noLive': 'Nada foi mesclado ainda.',
  'home.secondFactor': 'É necessário um segundo fator',
  'home.secondFactorHint': 'Adicione uma chave de acesso ou um app autenticador à sua conta e depois entre com ele.',
  'home.account': 'Abrir sua conta',
  'homeSpaces.title': 'Espaços',
  'homeSpaces.newSpace': 'Novo espaço',
  'homeSpaces.more.many': 'Mais {count} espaços estão na navegação e na pesquisa.',
  'homeSpaces.more.one': 'Mais {count} espaço está na navegação e na pesquisa.',
  'homeSpaces.more.other': 'Mais {count} espaços estão na navegação e na pesquisa.',
  'mentions.title': 'Menções',
  'mentions.by': '{name} mencionou você',
  'recentPages.title': 'Vistas recentemente',
  'spaceSource.template': 'Começar com um modelo',
  'spaceSource.templateHint': 'Um guia, uma base de conhecimento e mais, prontos para preencher.',
  'spaceSource.git': 'Importar um repositório Git',
  'spaceSource.gitHint': 'Markdown do GitHub, GitLab ou qualquer outro host; depois sincronizado nos dois sentidos.',
  'spaceSource.website': 'Importar um site',
  'spaceSource.websiteHint': 'Lê as páginas abaixo de um endereço, com as imagens.',
  'spaceSource.files': 'Enviar arquivos',
  'spaceSource.filesHint': 'Markdown, HTML ou um arquivo ZIP com eles.',
  'spaceSource.blank': 'Começar com um espaço em branco',
  'spaceSource.blankHint': 'Uma página com os próximos passos.',
  'start.noOrganization': 'Nenhuma organização ainda',
  'start.noOrganizationHint': 'Peça um convite a um membro da sua organização.',
  'waysToStart.title': 'Crie seu primeiro espaço',
  'waysToStart.text':
    'Um espaço contém páginas. Escreva-as aqui, revise as alterações em conjunto e publique-as como um site.',
  'waysToStart.noSpaces': 'Nenhum espaço ainda',
  'waysToStart.noSpacesHint':
    'Os espaços aparecem aqui assim que um membro da sua organização compartilhar um com você.',
}

export default translation
