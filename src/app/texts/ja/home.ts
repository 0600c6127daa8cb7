import type { Translation } from '../translation.ts'

/** Texts of the interface in Japanese. */
const translation: Translation = {
  'home.title': 'ホーム',
  'home.joined': '{organization} に参加しました。',
  'home.reviews': '自分のレビュー待ち',
  'home.noReviews': 'レビュー待ちはありません。',
  'home.drafts': '自分の変更リクエスト',
  'home.noDrafts':
    '進行中のものはありません。ページを開いて「編集」を選ぶと、ライブに反映されるまで変更が変更リクエストにまとめられます。',
  'home.live': '最近ライブに反映',
  'home.noLive': 'まだ何もマージされていません。',
  'home.secondFactor': '2 要素認証が必要です',
  'home.secondFactorHint': 'アカウントにパスキーまたは認証アプリを追加し、それを使ってサインインしてください。',
  'home.account': 'アカウントを開く',
  'homeSpaces.title': 'スペース',
  'homeSpaces.newSpace': '新しいスペース',
  'homeSpaces.more.other': 'ほか {count} 件のスペースは、ナビゲーションと検索から開けます。',
  'mentions.title': 'メンション',
  'mentions.by': '{name} さんがあなたをメンションしました',
  'recentPages.title': '最近表示したページ',
  'spaceSource.template': 'テンプレートから始める',
  'spaceSource.templateHint': 'ガイドやナレッジベースなど、すぐに書き始められます。',
  'spaceSource.git': 'Git リポジトリをインポート',
  'spaceSource.gitHint': 'GitHub、GitLab などの Markdown を取り込み、その後は双方向に同期します。',
  'spaceSource.website': 'ウェブサイトをインポート',
  'spaceSource.websiteHint': 'アドレスの下位にあるページを画像とともに読み込みます。',
  'spaceSource.files': 'ファイルをアップロード',
  'spaceSource.filesHint': 'Markdown、HTML、またはそれらの ZIP アーカイブ。',
  'spaceSource.blank': '空のスペースから始める',
  'spaceSource.blankHint': '次の手順を説明するページが 1 つあります。',
  'start.noOrganization': '組織はまだありません',
  'start.noOrganizationHint': '組織のメンバーに招待を依頼してください。',
  'waysToStart.title': '最初のスペースを作成',
  'waysToStart.text':
    'スペースにはページが入ります。ここでページを書き、変更を一緒にレビューし、サイトとして公開できます。',
  'waysToStart.noSpaces': 'スペースはまだありません',
  'waysToStart.noSpacesHint': '組織のメンバーがスペースを共有すると、ここに表示されます。',
}

export default translation
