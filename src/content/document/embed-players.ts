interface EmbedProvider {
  /** Hosts of the pages that can be embedded. */
  hosts: readonly string[]
  name: string
  /** Origin of the player. */
  origin: string
  /** Returns the path of the player for a page; undefined for pages that cannot be embedded. */
  playerPath(path: string, query: URLSearchParams): string | undefined
  shape: EmbedShape
}

/** Shapes of players: video, tall content such as designs and code, audio. */
export type EmbedShape = 'film' | 'canvas' | 'sound'

/** A player of another site that can be embedded. */
export interface EmbedPlayer {
  url: string
  name: string
  shape: EmbedShape
}

/** Builds the path of a player from the id that a pattern finds in the path of a page. */
const matchPath =
  (pattern: RegExp, buildPath: (id: string, second: string) => string): EmbedProvider['playerPath'] =>
  (pagePath) => {
    const [, id, second = ''] = pattern.exec(pagePath) ?? []
    return id === undefined ? undefined : buildPath(id, second)
  }

const youTubeId = /^[\w-]{11}$/

/** Accepts only a number of seconds as the start time. */
function startParameter(query: URLSearchParams): string {
  const [, hours, minutes, seconds] =
    /^(?:(\d{1,2})h)?(?:(\d{1,3})m)?(?:(\d{1,6})s?)?$/.exec(query.get('t') ?? query.get('start') ?? '') ?? []
  const start = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)
  return start > 0 ? `?start=${start}` : ''
}

const embedProviders: readonly EmbedProvider[] = [
  {
    hosts: ['youtube.com', 'm.youtube.com', 'music.youtube.com', 'youtu.be', 'youtube-nocookie.com'],
    name: 'YouTube',
    origin: 'https://www.youtube-nocookie.com',
    playerPath(path, query) {
      const id =
        path === '/watch' ? query.get('v') : /^\/(?:embed\/|shorts\/|live\/|v\/)?([\w-]{11})\/?$/.exec(path)?.[1]
      if (id && youTubeId.test(id)) return `/embed/${id}${startParameter(query)}`
      const list = query.get('list') ?? ''
      return path === '/playlist' && /^[\w-]{10,50}$/.test(list) ? `/embed/videoseries?list=${list}` : undefined
    },
    shape: 'film',
  },
  {
    hosts: ['vimeo.com', 'player.vimeo.com'],
    name: 'Vimeo',
    origin: 'https://player.vimeo.com',
    playerPath(path, query) {
      const [, id, keyInPath] =
        /^\/(?:video\/|channels\/\w{1,60}\/)?(\d{5,12})(?:\/([0-9a-f]{8,12}))?\/?$/.exec(path) ?? []
      if (id === undefined) return undefined
      // Unlisted videos have a key, which is part of the path of their page and of the query of their player.
      const key = keyInPath ?? /^[0-9a-f]{8,12}$/.exec(query.get('h') ?? '')?.[0]
      return key === undefined ? `/video/${id}?dnt=1` : `/video/${id}?h=${key}&dnt=1`
    },
    shape: 'film',
  },
  {
    hosts: ['loom.com'],
    name: 'Loom',
    origin: 'https://www.loom.com',
    playerPath: matchPath(/^\/(?:share|embed)\/(?:[\w-]{1,200}-)?([0-9a-f]{32})\/?$/, (id) => `/embed/${id}`),
    shape: 'film',
  },
  {
    hosts: ['wistia.com', 'fast.wistia.net', 'fast.wistia.com'],
    name: 'Wistia',
    origin: 'https://fast.wistia.net',
    playerPath: matchPath(/^\/(?:medias|embed\/iframe|embed\/medias)\/(\w{10})\/?$/, (id) => `/embed/iframe/${id}`),
    shape: 'film',
  },
  {
    hosts: ['drive.google.com'],
    name: 'Google Drive',
    origin: 'https://drive.google.com',
    playerPath: matchPath(
      /^\/file\/d\/([\w-]{20,80})(?:\/(?:view|preview|edit))?\/?$/,
      (id) => `/file/d/${id}/preview`,
    ),
    shape: 'film',
  },
  {
    hosts: ['docs.google.com'],
    name: 'Google Docs',
    origin: 'https://docs.google.com',
    playerPath(path) {
      const [, kind = '', id] =
        /^\/(document|spreadsheets|presentation|forms)\/d\/((?:e\/)?[\w-]{20,120})(?:\/[a-z]{1,20})?\/?$/.exec(path) ??
        []
      if (id === undefined) return undefined
      if (kind === 'forms') return `/forms/d/${id}/viewform?embedded=true`
      if (kind === 'presentation') return `/presentation/d/${id}/embed`
      // Published files have another kind of id.
      if (!id.startsWith('e/')) return `/${kind}/d/${id}/preview`
      return kind === 'document' ? `/document/d/${id}/pub?embedded=true` : `/spreadsheets/d/${id}/pubhtml?widget=true`
    },
    shape: 'canvas',
  },
  {
    hosts: ['google.com'],
    name: 'Google Maps',
    origin: 'https://www.google.com',
    playerPath(path, query) {
      const map = query.get('pb') ?? ''
      const isMap = path === '/maps/embed' && /^[\w!.:-]{10,1000}$/.test(map)
      return isMap ? `/maps/embed?pb=${encodeURIComponent(map)}` : undefined
    },
    shape: 'film',
  },
  {
    hosts: ['x.com', 'twitter.com', 'mobile.twitter.com', 'platform.twitter.com'],
    name: 'X',
    origin: 'https://platform.twitter.com',
    playerPath(path, query) {
      const id = path === '/embed/Tweet.html' ? query.get('id') : /^\/\w{1,20}\/status\/(\d+)\/?$/.exec(path)?.[1]
      return id && /^\d{1,20}$/.test(id) ? `/embed/Tweet.html?dnt=true&id=${id}` : undefined
    },
    shape: 'canvas',
  },
  {
    hosts: ['screen.studio'],
    name: 'Screen Studio',
    origin: 'https://screen.studio',
    playerPath: matchPath(/^\/share\/(\w{6,20})\/?$/, (id) => `/share/${id}`),
    shape: 'film',
  },
  {
    hosts: ['codepen.io'],
    name: 'CodePen',
    origin: 'https://codepen.io',
    playerPath: matchPath(
      /^\/([\w-]{1,60})\/(?:pen|embed|details|full)\/(\w{5,40})\/?$/,
      (user, id) => `/${user}/embed/${id}?default-tab=result`,
    ),
    shape: 'canvas',
  },
  {
    hosts: ['codesandbox.io'],
    name: 'CodeSandbox',
    origin: 'https://codesandbox.io',
    playerPath: matchPath(/^\/(?:s|embed|p\/sandbox)\/([\w-]{4,100})\/?$/, (id) => `/embed/${id}`),
    shape: 'canvas',
  },
  {
    hosts: ['stackblitz.com'],
    name: 'StackBlitz',
    origin: 'https://stackblitz.com',
    playerPath: matchPath(/^\/edit\/([\w-]{3,100})\/?$/, (id) => `/edit/${id}?embed=1`),
    shape: 'canvas',
  },
  {
    hosts: ['figma.com', 'embed.figma.com'],
    name: 'Figma',
    origin: 'https://embed.figma.com',
    playerPath: (path, query) => {
      const [, kind, id] = /^\/(design|file|proto|board)\/(\w{15,40})(?:\/[^/]{0,300})?\/?$/.exec(path) ?? []
      if (kind === undefined || id === undefined) return undefined
      const node = query.get('node-id') ?? ''
      const shown = /^[\d:-]{1,30}$/.test(node) ? `&node-id=${encodeURIComponent(node)}` : ''
      return `/${kind === 'file' ? 'design' : kind}/${id}?embed-host=octavo${shown}`
    },
    shape: 'canvas',
  },
  {
    hosts: ['miro.com'],
    name: 'Miro',
    origin: 'https://miro.com',
    playerPath: matchPath(/^\/app\/(?:board|live-embed|embed)\/([\w=-]{8,40})\/?$/, (id) => `/app/live-embed/${id}/`),
    shape: 'canvas',
  },
  {
    hosts: ['open.spotify.com'],
    name: 'Spotify',
    origin: 'https://open.spotify.com',
    playerPath: matchPath(
      /^\/(?:embed\/)?(?:intl-\w{2}\/)?(track|album|playlist|episode|show)\/(\w{22})\/?$/,
      (kind, id) => `/embed/${kind}/${id}`,
    ),
    shape: 'sound',
  },
]

const providersByHost = new Map(
  embedProviders.flatMap((provider) => provider.hosts.map((host) => [host, provider] as const)),
)

/** Origins of all players, for `frame-src` of the content security policy. */
export const frameOrigins: readonly string[] = [...new Set(embedProviders.map(({ origin }) => origin))]

/** Returns the player for a URL, if it is a supported one. Only ids and numbers of the URL become part of the player's URL. */
export function findEmbedPlayer(url: URL): EmbedPlayer | undefined {
  if (url.protocol !== 'https:' || url.port !== '') return undefined
  const provider = providersByHost.get(url.hostname.replace(/^www\./, ''))
  const path = provider?.playerPath(url.pathname, url.searchParams)
  return provider && path !== undefined
    ? { url: provider.origin + path, name: provider.name, shape: provider.shape }
    : undefined
}
