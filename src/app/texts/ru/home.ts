import type { Translation } from '../translation.ts'

/** Texts of the interface in Russian. */
const translation: Translation = {
  'home.title': 'Главная',
  'home.joined': 'Теперь вы участник организации «{organization}».',
  'home.reviews': 'Ожидают вашей проверки',
  'home.noReviews': 'Ничто не ожидает вашей проверки.',
  'home.drafts': 'Ваши запросы на изменение',
  'home.noDrafts':
    'Ничего в работе. Откройте страницу и нажмите «Редактировать»: запрос на изменение собирает ваши правки, пока они не вступят в действие.',
  'home.live': 'Недавно вступили в действие',
  'home.noLive': 'Пока ничего не объединено.',
  'home.secondFactor': 'Требуется второй фактор',
  'home.secondFactorHint':
    'Добавьте в аккаунт ключ доступа или приложение-аутентификатор, затем войдите с его помощью.',
  'home.account': 'Открыть аккаунт',
  'homeSpaces.title': 'Пространства',
  'homeSpaces.newSpace': 'Новое пространство',
  'homeSpaces.more.few': 'Ещё {count} пространства доступны в навигации и поиске.',
  'homeSpaces.more.many': 'Ещё {count} пространств доступны в навигации и поиске.',
  'homeSpaces.more.one': 'Ещё {count} пространство доступно в навигации и поиске.',
  'homeSpaces.more.other': 'Ещё {count} пространства доступны в навигации и поиске.',
  'mentions.title': 'Упоминания',
  'mentions.by': '{name} упоминает вас',
  'recentPages.title': 'Недавно просмотренные',
  'spaceSource.template': 'Начать с шаблона',
  'spaceSource.templateHint': 'Руководство, база знаний и другое — остаётся заполнить.',
  'spaceSource.git': 'Импортировать репозиторий Git',
  'spaceSource.gitHint': 'Markdown из GitHub, GitLab или любого другого хостинга; затем двусторонняя синхронизация.',
  'spaceSource.website': 'Импортировать веб-сайт',
  'spaceSource.websiteHint': 'Читает вложенные страницы указанного адреса вместе с изображениями.',
  'spaceSource.files': 'Загрузить файлы',
  'spaceSource.filesHint': 'Markdown, HTML или ZIP-архив с ними.',
  'spaceSource.blank': 'Начать с пустого пространства',
  'spaceSource.blankHint': 'Одна страница с описанием следующих шагов.',
  'start.noOrganization': 'Организации пока нет',
  'start.noOrganizationHint': 'Попросите приглашение у участника вашей организации.',
  'waysToStart.title': 'Создайте первое пространство',
  'waysToStart.text':
    'Пространство содержит страницы. Пишите их здесь, вместе проверяйте изменения и публикуйте в виде сайта.',
  'waysToStart.noSpaces': 'Пространств пока нет',
  'waysToStart.noSpacesHint':
    'Пространства появятся здесь, как только участник вашей организации предоставит вам доступ.',
}

export default translation
