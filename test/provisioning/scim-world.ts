import { strict as assert } from 'node:assert'
import type { HttpClient } from '../support/http/http-client.ts'
import type { TestService } from '../support/service/start-service.ts'

export type ScimAnswer = {
  status: number
  headers: Headers
  body: Record<string, unknown> & { Resources: Array<Record<string, unknown>> }
  text: string
}

/** A provisioning client, as Microsoft Entra ID or Okta. */
export class ScimClient {
  readonly url: string
  secret: string

  constructor(url: string, secret: string) {
    this.url = url
    this.secret = secret
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ScimAnswer> {
    const response = await fetch(`${this.url}/scim/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.secret}`,
        ...(body !== undefined && { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const parsed = (text.startsWith('{') ? JSON.parse(text) : {}) as ScimAnswer['body']
    return { status: response.status, headers: response.headers, body: parsed, text }
  }

  get = (path: string, headers?: Record<string, string>) =>
    this.send('GET', path, undefined, headers)

  /** Creates a person as Okta does. Returns the id. */
  async createUser(userName: string, more: Record<string, unknown> = {}): Promise<string> {
    const emails = [{ primary: true, value: userName, type: 'work' }]
    const name = { givenName: 'Test', familyName: userName.split('@')[0] }
    const user = { schemas: [USER], userName, name, emails, active: true, ...more }
    const { status, body, text } = await this.send('POST', '/Users', user)
    assert.equal(status, 201, text)
    return String(body['id'])
  }

  async createGroup(displayName: string, members: string[] = []): Promise<string> {
    const group = { schemas: [GROUP], displayName, members: members.map((value) => ({ value })) }
    const { status, body, text } = await this.send('POST', '/Groups', group)
    assert.equal(status, 201, text)
    return String(body['id'])
  }

  patch(path: string, ...operations: unknown[]): Promise<ScimAnswer> {
    return this.send('PATCH', path, { schemas: [PATCH], Operations: operations })
  }

  async find(path: string, filter: string): Promise<string[]> {
    const { body, text, status } = await this.get(`${path}?filter=${encodeURIComponent(filter)}`)
    assert.equal(status, 200, text)
    return body.Resources.map(({ id }) => String(id))
  }
}

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** Turns provisioning on, and creates a token. */
export async function openScimClient(service: TestService, admin: HttpClient): Promise<ScimClient> {
  assert.equal((await admin.put('/web/provisioning', { isOn: true })).status, 200)
  const { status, body } = await admin.post('/web/provisioning/tokens', { name: 'Entra' })
  assert.equal(status, 201, JSON.stringify(body))
  return new ScimClient(`http://127.0.0.1:${service.port}`, String(body['secret']))
}
