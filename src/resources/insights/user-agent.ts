/** The stored properties of a user agent. */
export interface ParsedUserAgent {
  device: 'desktop' | 'tablet' | 'mobile' | 'unknown'
  browser: 'chrome' | 'firefox' | 'safari' | 'edge' | 'ie' | 'opera' | 'unknown'
  os: 'windows' | 'macos' | 'linux' | 'android' | 'ios' | 'unknown'
  bot: string | null
}

type Table<Name extends string> = readonly (readonly [Name, RegExp])[]

/** The first match counts, because most browsers also name the browsers that they are compatible with. */
const browsers: Table<ParsedUserAgent['browser']> = [
  ['edge', /\bEdg(?:e|A|iOS)?\//],
  ['opera', /\bOPR\/|\bOpera\b/],
  ['firefox', /\bFirefox\/|\bFxiOS\//],
  ['chrome', /\bChrom(?:e|ium)\/|\bCriOS\//],
  ['safari', /\bSafari\//],
  ['ie', /\bMSIE |\bTrident\//],
]

const systems: Table<ParsedUserAgent['os']> = [
  ['ios', /\biPhone\b|\biPad\b|\biPod\b/],
  ['android', /\bAndroid\b/],
  ['windows', /\bWindows\b/],
  ['macos', /\bMacintosh\b|\bMac OS X\b/],
  ['linux', /\bLinux\b|\bX11\b|\bCrOS\b/],
]

const devices: Table<ParsedUserAgent['device']> = [
  ['tablet', /\biPad\b|\bTablet\b|\bKindle\b|\bSilk\/|\bAndroid\b(?!.*\bMobile\b)/],
  ['mobile', /\bMobi|\biPhone\b|\biPod\b|\bAndroid\b/],
  ['desktop', /\bWindows\b|\bMacintosh\b|\bMac OS X\b|\bLinux\b|\bX11\b|\bCrOS\b/],
]

/** From the most specific names to the most general ones. */
const bots: Table<string> = [
  ['claude-code', /claude-code/i],
  ['codex', /\bcodex/i],
  ['opencode', /\bopencode/i],
  ['cursor', /\bcursor\//i],
  ['vscode', /\bvscode|visual studio code/i],
  ['github-copilot', /github-?copilot/i],
  ['gptbot', /gptbot/i],
  ['chatgpt', /chatgpt/i],
  ['openai', /oai-searchbot|openai/i],
  ['claudebot', /claudebot/i],
  ['claude', /claude-(?:user|web|searchbot)/i],
  ['anthropic', /anthropic/i],
  ['gemini', /google-extended|gemini/i],
  ['perplexity', /perplexity/i],
  ['cohere', /cohere/i],
  ['mistral', /mistral/i],
  ['deepseek', /deepseek/i],
  ['grok', /\bgrok|\bxai-/i],
  ['meta-fetcher', /meta-externalfetcher/i],
  ['meta-webindexer', /meta-webindexer/i],
  ['meta-ads', /meta-externalads/i],
  ['meta', /meta-externalagent/i],
  ['facebookbot', /facebookbot|facebookexternalhit|facebookcatalog/i],
  ['bytespider', /bytespider/i],
  ['ccbot', /\bccbot/i],
  ['amzn-searchbot', /amzn-searchbot/i],
  ['amzn-user', /amzn-user/i],
  ['amazonbot', /amazonbot/i],
  ['youbot', /youbot/i],
  ['duckassist', /duckassistbot/i],
  ['duckduckbot', /duckduckbot/i],
  ['applebot', /applebot/i],
  ['bingbot', /bingbot|bingpreview|adidxbot/i],
  ['googlebot', /googlebot|google-inspectiontool|storebot-google|apis-google|mediapartners-google/i],
  ['unknown', /bot\b|crawl|spider|headless|^(?:curl|wget|python-|go-http-client|java\/|okhttp|axios|node)/i],
]

/** Maximum number of characters of a user agent that are matched. */
const maxUserAgentLength = 1024

export function parseUserAgent(text: string): ParsedUserAgent {
  const agent = text.slice(0, maxUserAgentLength)
  return {
    device: findFirstMatch(devices, agent) ?? 'unknown',
    browser: findFirstMatch(browsers, agent) ?? 'unknown',
    os: findFirstMatch(systems, agent) ?? 'unknown',
    bot: findFirstMatch(bots, agent) ?? null,
  }
}

function findFirstMatch<Name extends string>(table: Table<Name>, agent: string): Name | undefined {
  return table.find(([, pattern]) => pattern.test(agent))?.[0]
}
