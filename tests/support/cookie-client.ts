/** HTTP client with cookies that does not follow redirects by itself. */
export class CookieClient {
  readonly #cookies = new Map<string, { value: string; path: string }>()

  async open(url: string, init: RequestInit = {}): Promise<Response> {
    const cookie = this.cookiesFor(new URL(url).pathname)
    const headers = { ...(cookie !== '' && { cookie }), ...(init.headers as Record<string, string>) }
    const reply = await fetch(url, { redirect: 'manual', ...init, headers })
    for (const set of reply.headers.getSetCookie()) this.#storeCookie(set)
    return reply
  }

  /** Opens a URL and follows its redirects on the same host. */
  async openFollowingRedirects(url: string): Promise<Response> {
    let reply = await this.open(url)
    for (let hops = 0; hops < 5; hops++) {
      const to = reply.headers.get('location')
      if (to === null || new URL(to).host !== new URL(url).host) return reply
      reply = await this.open(to)
    }
    throw new Error(`${url} leads on and on`)
  }

  async text(url: string): Promise<string> {
    const reply = await this.openFollowingRedirects(url)
    if (reply.status !== 200) throw new Error(`${url} answers ${reply.status}`)
    return reply.text()
  }

  /** Returns the cookies for a path. */
  cookiesFor(path: string): string {
    return [...this.#cookies]
      .filter(([, { path: own }]) => path === own || path.startsWith(own.endsWith('/') ? own : `${own}/`))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ')
  }

  #storeCookie(set: string): void {
    const [pair = '', ...rest] = set.split('; ')
    const at = pair.indexOf('=')
    const attribute = (name: string) => rest.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1)
    const name = pair.slice(0, at)
    if (attribute('Max-Age') === '0') this.#cookies.delete(name)
    else this.#cookies.set(name, { value: pair.slice(at + 1), path: attribute('Path') ?? '/' })
  }
}
