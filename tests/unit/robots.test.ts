import { expect, test } from 'vitest'
import { parseRobots } from '../../src/website/robots.ts'

const allowed = (robots: string, ...paths: string[]) => paths.filter((path) => parseRobots(robots).isAllowed(path))

test('only the group of this crawler applies, with a fallback to the group of all agents', () => {
  const robots = 'User-agent: *\nDisallow: /\n\nUser-agent: octavo/2.0\nDisallow: /private\n'
  expect(allowed(robots, '/', '/docs', '/private', '/private/x')).toEqual(['/', '/docs'])
  expect(allowed('User-agent: *\nDisallow: /a\nUser-agent: OtherBot\nDisallow: /', '/', '/a')).toEqual(['/'])
  expect(allowed('User-agent: OctavoOther\nDisallow: /', '/')).toEqual(['/'])
})

test('several agents share the rules that follow, and groups of the same agent are merged', () => {
  const robots =
    'User-agent: A\nUser-agent: Octavo\nSitemap: https://x.test/s.xml\nDisallow: /a\n\nUser-Agent : octavo\nDisallow:/b'
  expect(allowed(robots, '/a', '/b', '/c')).toEqual(['/c'])
})

test('the longest rule decides, and of equally long rules the one that allows', () => {
  const robots = 'User-agent: *\nAllow: /docs/open\nDisallow: /docs\nDisallow: /same\nAllow: /same'
  expect(allowed(robots, '/docs', '/docs/x', '/docs/open/x', '/same/x', '/doc')).toEqual([
    '/docs/open/x',
    '/same/x',
    '/doc',
  ])
})

test('an asterisk matches any text and a dollar sign the end', () => {
  const robots = 'User-agent: *\nDisallow: /*.php$\nDisallow: /*/print/\nDisallow: /end$\nDisallow: *x*y'
  const paths = ['/a.php', '/a.php5', '/a/print/', '/print/', '/end', '/end/', '/1x2y3', '/yx', '/a.php.php']
  expect(allowed(robots, ...paths)).toEqual(['/a.php5', '/print/', '/end/', '/yx'])
})

test('paths match in any percent-encoding', () => {
  const robots = 'User-agent: *\nDisallow: /caf\u00e9\nDisallow: /%7euser\nDisallow: /a%2fb'
  expect(allowed(robots, '/caf%C3%A9/x', '/caf%c3%a9', '/~user', '/a%2Fb', '/a/b')).toEqual(['/a/b'])
})

test('ignores comments, empty rules, unknown lines and lines before the first agent', () => {
  const robots =
    '\ufeffDisallow: /\n# Disallow: /\nUser-agent: * # all\nDisallow:\nNoindex: /x\nnonsense\nDisallow: /y # not this\r\n'
  expect(allowed(robots, '/', '/x', '/y')).toEqual(['/', '/x'])
  expect(allowed('', '/')).toEqual(['/'])
})

test('reads the crawl delay of the chosen group and all sitemaps', () => {
  const robots = parseRobots(
    'Sitemap: https://x.test/a.xml\nUser-agent: *\nCrawl-delay: 2.5\nUser-agent: B\nCrawl-delay: 60\nSitemap: /b.xml',
  )
  expect(robots.delay).toBe(2500)
  expect(robots.sitemaps).toEqual(['https://x.test/a.xml', '/b.xml'])
  expect(parseRobots('User-agent: *\nCrawl-delay: soon').delay).toBe(0)
})

const lines = (count: number, rule: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => `Disallow: ${rule(index)}`)

test('matching is not slower for files with many or complex rules', () => {
  const path = `/${'a'.repeat(1999)}`
  const costOf = (rules: readonly string[]) => {
    const robots = parseRobots(`User-agent: *\n${rules.join('\n')}`)
    const start = process.cpuUsage()
    for (let count = 0; count < 100; count++) robots.isAllowed(`${path}${count}`)
    const { user, system } = process.cpuUsage(start)
    return user + system
  }
  const ordinary = costOf(lines(200, (index) => `/*${'a'.repeat(60)}${index}`))
  for (const hostile of [
    lines(20_000, (index) => `/${'*a'.repeat(8)}${index}`),
    lines(20_000, (index) => `/${'a'.repeat(index % 250)}${index}`),
    lines(1, () => `/${'*a'.repeat(5000)}$`),
    lines(200, (index) => `/*${'a'.repeat(2000)}${index}`),
  ]) {
    expect(costOf(hostile)).toBeLessThan(20 * ordinary + 50_000)
  }
})

test('patterns beyond the maximum number match by the text before their first wildcard', () => {
  const robots = parseRobots(
    `User-agent: *\n${Array.from({ length: 300 }, (_, index) => `Disallow: /${index}/*/x`).join('\n')}\nAllow: /250/*/x/y`,
  )
  expect([robots.isAllowed('/1/a'), robots.isAllowed('/1/a/x')]).toEqual([true, false])
  expect([robots.isAllowed('/250/a'), robots.isAllowed('/260/a'), robots.isAllowed('/301/a')]).toEqual([
    false,
    false,
    true,
  ])
})
