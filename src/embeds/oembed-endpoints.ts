/** A website with an oEmbed endpoint. */
interface OembedProvider {
  hosts: readonly string[]
  endpoint: string
  /** Paths of pages that the endpoint describes. */
  path: RegExp
}

const anyPath = /./

/** Endpoints that answer without a key, and whose data is more useful than the page itself. */
const providers: readonly OembedProvider[] = [
  {
    hosts: ['youtube.com', 'm.youtube.com', 'music.youtube.com', 'youtu.be'],
    endpoint: 'https://www.youtube.com/oembed?format=json',
    path: /^\/(?:watch|playlist|shorts\/|live\/|embed\/|v\/|[\w-]{11}\/?$)/,
  },
  { hosts: ['vimeo.com', 'player.vimeo.com'], endpoint: 'https://vimeo.com/api/oembed.json', path: /\/\d{5,12}/ },
  { hosts: ['loom.com'], endpoint: 'https://www.loom.com/v1/oembed', path: /^\/(?:share|embed)\// },
  { hosts: ['wistia.com'], endpoint: 'https://fast.wistia.com/oembed', path: /^\/(?:medias|embed)\// },
  { hosts: ['dailymotion.com'], endpoint: 'https://www.dailymotion.com/services/oembed', path: /^\/video\// },
  { hosts: ['ted.com'], endpoint: 'https://www.ted.com/services/v1/oembed.json', path: /^\/talks\// },
  { hosts: ['tiktok.com'], endpoint: 'https://www.tiktok.com/oembed', path: /^\/@[^/]+\/video\// },
  {
    hosts: ['codepen.io'],
    endpoint: 'https://codepen.io/api/oembed?format=json',
    path: /\/(?:pen|embed|details|full)\//,
  },
  { hosts: ['codesandbox.io'], endpoint: 'https://codesandbox.io/oembed', path: /^\/(?:s|embed|p\/sandbox)\// },
  {
    hosts: ['figma.com'],
    endpoint: 'https://www.figma.com/api/oembed',
    path: /^\/(?:design|file|proto|board)\//,
  },
  { hosts: ['miro.com'], endpoint: 'https://miro.com/api/v1/oembed', path: /^\/app\/board\// },
  { hosts: ['open.spotify.com'], endpoint: 'https://open.spotify.com/oembed', path: anyPath },
  { hosts: ['soundcloud.com'], endpoint: 'https://soundcloud.com/oembed?format=json', path: /^\/[^/]+\/[^/]+/ },
  {
    hosts: ['twitter.com', 'mobile.twitter.com', 'x.com'],
    endpoint: 'https://publish.twitter.com/oembed?omit_script=true&dnt=true',
    path: /^\/\w+\/status\/\d+/,
  },
  { hosts: ['reddit.com'], endpoint: 'https://www.reddit.com/oembed', path: /^\/r\/\w+\/comments\// },
  { hosts: ['flickr.com'], endpoint: 'https://www.flickr.com/services/oembed/?format=json', path: /^\/photos\// },
  { hosts: ['giphy.com'], endpoint: 'https://giphy.com/services/oembed', path: /^\/gifs\// },
  { hosts: ['speakerdeck.com'], endpoint: 'https://speakerdeck.com/oembed.json', path: /^\/[^/]+\/[^/]+/ },
]

const providersByHost = new Map(
  providers.flatMap((provider) => provider.hosts.map((host) => [host, provider] as const)),
)

/** Returns the address of the oEmbed data of a page, if its website is listed. */
export function findOembedUrl(page: URL): URL | undefined {
  const provider = providersByHost.get(page.hostname.replace(/^www\./, ''))
  if (!provider || page.port !== '' || !provider.path.test(page.pathname)) return undefined
  const url = new URL(provider.endpoint)
  url.searchParams.set('url', page.href)
  return url
}
