import type { HttpClient } from '../http/http-client.ts'
import type { TestService } from './start-service.ts'

export type InvitedPerson = { id: string; name: string; email: string; client: HttpClient }

/** A password that every invited person has. */
export const INVITED_PASSWORD = 'a long enough one'

let count = 0

/** Creates an account through an invitation. Returns its signed-in client. */
export async function invitePerson(
  service: TestService,
  admin: HttpClient,
  given: { name?: string; email?: string; role?: 'admin' | 'member' } = {},
): Promise<InvitedPerson> {
  count += 1
  const { name = `Person ${count}`, email = `person-${count}@example.com`, role = 'member' } = given
  const { body } = await admin.post('/web/invitations', { role })
  const code = String(body['link']).split('#')[1]
  const client = service.anonymousClient()
  const account = { code, name, email, password: INVITED_PASSWORD }
  const joined = await client.post('/web/invitation/accept', account)
  if (joined.status !== 201) throw new Error(JSON.stringify(joined.body))
  const { id } = joined.body['user'] as { id: string }
  return { id, name, email, client }
}
