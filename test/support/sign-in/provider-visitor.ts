import { strict as assert } from 'node:assert'
import type { HttpClient } from '../http/http-client.ts'

/**
 * Signs in at a provider like a browser, but without pages: it keeps the provider's cookies, and gives the provider's
 * answer to the test instead of following it to the service.
 */
export class ProviderVisitor {
  readonly client: HttpClient
  private readonly cookies = new Map<string, string>()

  constructor(client: HttpClient) {
    this.client = client
  }

  /** Asks the service for the provider's page, to open a page of the console afterwards. */
  async begin(next?: string): Promise<URL> {
    const { body } = await this.client.post('/web/sign-in/provider', { next })
    return new URL(String(body['url']))
  }

  /** Asks the service for the provider's page, to link the account there to the signed-in user. */
  async beginLink(): Promise<URL> {
    const { body } = await this.client.post('/web/identities')
    return new URL(String(body['url']))
  }

  /** Signs in on the provider's page, if it asks for that, and returns its answer. Without a login, refuses. */
  async answer(page: URL, login: string | null): Promise<URL> {
    let next = await this.redirected(page)
    if (next.pathname.startsWith('/interaction/')) {
      const form = login === null ? { refuse: 'yes' } : { login }
      next = await this.redirected(next, new URLSearchParams(form))
      next = await this.redirected(next)
    }
    return next
  }

  /** Gives an answer of the provider to the service. Returns the path of the next page. */
  async deliver({ pathname, search }: URL): Promise<string | null> {
    return (await this.client.get(`${pathname}${search}`)).headers.get('location')
  }

  /** The complete sign-in. Returns the path of the next page. */
  async signIn(login: string | null): Promise<string | null> {
    return this.deliver(await this.answer(await this.begin(), login))
  }

  /** The person who is signed in to the service. */
  async user(): Promise<Record<string, string> | null> {
    const { body } = await this.client.get('/web/state')
    return body['user'] as Record<string, string> | null
  }

  /** Ends the session at the provider in this browser. */
  forgetProvider(): void {
    this.cookies.clear()
  }

  private async redirected(url: URL, form?: URLSearchParams): Promise<URL> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form !== undefined && { method: 'POST', body: form }),
    })
    for (const header of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? []
      this.cookies.set(name, value)
    }
    const location = response.headers.get('location')
    assert.ok(
      location !== null,
      `${url.pathname} answers ${response.status}: ${await response.text()}`,
    )
    return new URL(location, url)
  }
}
