export type ApiResponse = {
  status: number
  headers: Headers
  body: Record<string, unknown> & { error?: string; code?: string }
}

/** Sends requests as a browser does, with cookies, origin and CSRF token. */
export class HttpClient {
  readonly url: string
  readonly ip: string | undefined
  /** The session cookie. */
  cookie: string | null = null
  /** The service recognises by this cookie that the browser was used to sign in. It stays after signing out. */
  deviceCookie: string | null = null
  /** Binds the answer of a sign-in provider or a passkey to this browser. */
  signInCookie: string | null = null
  csrfToken: string | null = null

  constructor(url: string, ip?: string) {
    this.url = url
    this.ip = ip
  }

  get(path: string, headers: Record<string, string> = {}): Promise<ApiResponse> {
    return this.request('GET', path, undefined, headers)
  }

  post(
    path: string,
    body: unknown = {},
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    return this.request('POST', path, body, headers)
  }

  put(path: string, body: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> {
    return this.request('PUT', path, body, headers)
  }

  delete(path: string): Promise<ApiResponse> {
    return this.request('DELETE', path, undefined, {})
  }

  private cookieHeader(): { cookie?: string } {
    const cookies = [this.cookie, this.deviceCookie, this.signInCookie].filter(
      (cookie) => cookie !== null,
    )
    return cookies.length === 0 ? {} : { cookie: cookies.join('; ') }
  }

  async createToken(
    body: Record<string, unknown> = { name: 'test' },
  ): Promise<{ apiKey: string; signingSecret: string; id: string }> {
    const { body: created } = await this.post('/web/tokens', body)
    const { token, apiKey, signingSecret } = created as {
      token: { id: string }
      apiKey: string
      signingSecret: string
    }
    return { apiKey, signingSecret, id: token.id }
  }

  async request(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<ApiResponse> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        origin: this.url,
        ...this.cookieHeader(),
        ...(this.csrfToken !== null && { 'x-csrf-token': this.csrfToken }),
        ...(this.ip !== undefined && { 'x-forwarded-for': this.ip }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const parsed = (isJson ? JSON.parse(text) : { text }) as ApiResponse['body']
    for (const header of response.headers.getSetCookie()) {
      const [cookie = ''] = header.split(';')
      if (cookie.includes('-device=')) this.deviceCookie = cookie
      else if (cookie.includes('-sign-in=')) this.signInCookie = cookie
      else this.cookie = cookie.endsWith('=') ? null : cookie
    }
    if (typeof parsed['csrfToken'] === 'string') this.csrfToken = parsed['csrfToken']
    return { status: response.status, headers: response.headers, body: parsed }
  }
}
