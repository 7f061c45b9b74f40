import { strict as assert } from 'node:assert'
import { Client } from 'pg'
import { CA_FILE } from '../support/mail/mail-server.ts'
import { invitePerson } from '../support/service/invite-person.ts'
import { startService } from '../support/service/start-service.ts'
import { openDocumentServer } from '../support/sign-in/document-server.ts'
import { TestAssistant } from '../support/sign-in/test-assistant.ts'

export const ISSUER = 'https://hansard.example'
/** The public URL leads nowhere in a test. */
export const urlOf = ({ port }: { port: number }) => `http://127.0.0.1:${port}`

/** A service that assistants can connect to, with an admin, a member, and a host for documents of assistants. */
export async function openOAuthWorld() {
  await using stack = new AsyncDisposableStack()
  const documents = stack.use(await openDocumentServer())
  const service = stack.use(
    await startService({
      HANSARD_PUBLIC_URL: ISSUER,
      HANSARD_CALLBACK_ALLOW: '127.0.0.1',
      HANSARD_CALLBACK_CA_FILE: CA_FILE,
      HANSARD_RATE_LIMIT: 'off',
    }),
  )
  const ada = await service.adminClient()
  const ben = (await invitePerson(service, ada)).client
  const move = stack.move()
  return {
    documents,
    service,
    ada,
    ben,
    register: (redirectUri?: string) => TestAssistant.register(urlOf(service), ISSUER, redirectUri),
    get: async (path: string) => {
      const response = await fetch(`${urlOf(service)}${path}`)
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    },
    async readAudit(object: string): Promise<string[]> {
      const { body } = await ada.get(`/web/audit?object=${object}`)
      return (body['entries'] as Array<{ action: string }>).map(({ action }) => action)
    },
    async findToken(name = 'Helper'): Promise<Record<string, unknown>> {
      const { body } = await ada.get('/web/tokens')
      const tokens = body['tokens'] as Array<Record<string, unknown>>
      const token = tokens.findLast((one) => one['name'] === name)
      assert.ok(token)
      return token
    },
    async query(
      statement: string,
      values: unknown[] = [],
    ): Promise<Array<Record<string, unknown>>> {
      const client = new Client(service.databaseUrl)
      await client.connect()
      const { rows } = await client.query<Record<string, unknown>>(statement, values)
      await client.end()
      return rows
    },
    [Symbol.asyncDispose]: () => move.disposeAsync(),
  }
}
