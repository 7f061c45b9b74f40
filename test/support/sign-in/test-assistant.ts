import { strict as assert } from 'node:assert'
import { createHash, randomBytes } from 'node:crypto'
import type { HttpClient } from '../http/http-client.ts'

export type OAuthAnswer = { status: number; headers: Headers; body: Record<string, unknown> }

/** An assistant that connects by OAuth as a program would, one request after the other. */
export class TestAssistant {
  readonly url: string
  readonly issuer: string
  readonly verifier = randomBytes(32).toString('base64url')
  redirectUri = 'https://assistant.example/callback'
  clientId = ''

  constructor(url: string, issuer: string) {
    this.url = url
    this.issuer = issuer
  }

  /** A registered assistant. */
  static async register(
    url: string,
    issuer: string,
    redirectUri = 'https://assistant.example/callback',
  ): Promise<TestAssistant> {
    const assistant = new TestAssistant(url, issuer)
    assistant.redirectUri = redirectUri
    const metadata = { client_name: 'Helper', redirect_uris: [redirectUri] }
    const { status, body } = await postJson(url, '/oauth/register', metadata)
    assert.equal(status, 201, JSON.stringify(body))
    assistant.clientId = String(body['client_id'])
    return assistant
  }

  /** The parameter of the console's page, after the browser has followed the assistant's link. */
  async open(changes: Record<string, string | undefined> = {}): Promise<string> {
    const parameters = {
      response_type: 'code',
      client_id: this.clientId,
      redirect_uri: this.redirectUri,
      state: 'any state & more',
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      resource: `${this.issuer}/mcp`,
      scope: 'read write',
      ...changes,
    }
    const given = Object.entries(parameters).filter((pair): pair is [string, string] =>
      Boolean(pair[1]),
    )
    const link = `${this.url}/oauth/authorize?${new URLSearchParams(given).toString()}`
    const { status, headers } = await fetch(link, { redirect: 'manual' })
    assert.equal(status, 303)
    return new URL(headers.get('location') ?? '', this.url).searchParams.get('request') ?? ''
  }

  async review(person: HttpClient, changes: Record<string, string | undefined> = {}) {
    return person.post('/web/assistants/review', { request: await this.open(changes) })
  }

  /** The redirect URL after a person's consent. */
  async consent(
    person: HttpClient,
    choice: { canWrite?: boolean; projects?: string[] } = {},
    changes: Record<string, string | undefined> = {},
  ): Promise<URL> {
    const { body: shown } = await this.review(person, changes)
    const allowed = { ticket: shown['ticket'], canWrite: false, ...choice }
    const { status, body } = await person.post('/web/assistants/allow', allowed)
    assert.equal(status, 200, JSON.stringify({ shown, body }))
    return new URL(String(body['redirectUrl']))
  }

  redeem(code: string, changes: Record<string, string | undefined> = {}): Promise<OAuthAnswer> {
    return this.send('/oauth/token', {
      grant_type: 'authorization_code',
      code,
      code_verifier: this.verifier,
      redirect_uri: this.redirectUri,
      resource: `${this.issuer}/mcp`,
      ...changes,
    })
  }

  refresh(token: string, changes: Record<string, string | undefined> = {}): Promise<OAuthAnswer> {
    return this.send('/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: token,
      ...changes,
    })
  }

  revoke(token: string, changes: Record<string, string | undefined> = {}): Promise<OAuthAnswer> {
    return this.send('/oauth/revoke', { token, ...changes })
  }

  /** The tokens after a person's consent. */
  async connect(
    person: HttpClient,
    choice: { canWrite?: boolean; projects?: string[] } = {},
    changes: Record<string, string | undefined> = {},
  ): Promise<{ access: string; refresh: string }> {
    const { searchParams } = await this.consent(person, choice, changes)
    const { resource } = { resource: `${this.issuer}/mcp`, ...changes }
    const { status, body } = await this.redeem(searchParams.get('code') ?? '', { resource })
    assert.equal(status, 200, JSON.stringify(body))
    return { access: String(body['access_token']), refresh: String(body['refresh_token']) }
  }

  /** Calls the tool `list_projects`. Returns the status of the response. */
  async callTool(accessToken: string): Promise<number> {
    const response = await fetch(`${this.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${accessToken}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'list_projects', arguments: {} },
      }),
    })
    const text = await response.text()
    if (response.status === 200) assert.match(text, /projects/, text)
    return response.status
  }

  private async send(
    path: string,
    given: Record<string, string | undefined>,
  ): Promise<OAuthAnswer> {
    const fields = Object.entries({ client_id: this.clientId, ...given })
    const form = new URLSearchParams(
      fields.filter((pair): pair is [string, string] => pair[1] !== undefined),
    )
    const response = await fetch(`${this.url}${path}`, { method: 'POST', body: form })
    return readAnswer(response)
  }
}

export async function postJson(url: string, path: string, body: unknown): Promise<OAuthAnswer> {
  const headers = { 'content-type': 'application/json' }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return readAnswer(await fetch(`${url}${path}`, { method: 'POST', headers, body: text }))
}

async function readAnswer(response: Response): Promise<OAuthAnswer> {
  const { status, headers } = response
  return { status, headers, body: (await response.json()) as Record<string, unknown> }
}
