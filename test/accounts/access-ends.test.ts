import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { HttpClient } from '../support/http/http-client.ts'
import { openForFile } from '../support/open-for-file.ts'
import { INVITED_PASSWORD, invitePerson } from '../support/service/invite-person.ts'
import { startTwoNodes } from '../support/service/start-nodes.ts'
import { TestAssistant } from '../support/sign-in/test-assistant.ts'
import { eventually } from '../support/time/eventually.ts'
import { ISSUER, urlOf } from './oauth-world.ts'

/** How access ends on all nodes: a session at once, a key when the nodes have read it again. */
const nodes = openForFile(async () => {
  const opened = await startTwoNodes({ HANSARD_PUBLIC_URL: ISSUER, HANSARD_RATE_LIMIT: 'off' })
  const ada = await opened.one.adminClient()
  return { ...opened, ada }
})

/** A node caches a key for less than two seconds (`api-keys.test.ts`). */
const waitUntilRefused = (call: () => Promise<number>) =>
  eventually(async () => ((await call()) === 401 ? true : null))

async function startPractice(client: HttpClient): Promise<string> {
  const body = { url: 'practice://standup' }
  const { status, body: answer } = await client.post('/web/meetings/start', body)
  assert.equal(status, 201, JSON.stringify(answer))
  return answer['meetingId'] as string
}

test('deactivation on one node ends sessions, keys, assistants and bots on the other', async () => {
  const { one, two, ada } = nodes()
  const ben = await invitePerson(two, ada)
  const { apiKey } = await ben.client.createToken()
  const useKey = async () =>
    (await two.anonymousClient().get('/api/v1/projects', { 'x-api-key': apiKey })).status
  const assistant = await TestAssistant.register(urlOf(two), ISSUER)
  const tokens = await assistant.connect(ben.client)
  const meetingId = await startPractice(ben.client)
  assert.deepEqual([await useKey(), await assistant.callTool(tokens.access)], [200, 200])

  const changed = await ada.put(`/web/users/${ben.id}`, { isActive: false })
  assert.equal(changed.status, 200, JSON.stringify(changed.body))
  assert.equal((await ben.client.get('/web/projects')).status, 401)
  await waitUntilRefused(useKey)
  await waitUntilRefused(() => assistant.callTool(tokens.access))
  assert.equal((await assistant.refresh(tokens.refresh)).status, 400)
  await eventually(async () => {
    const { body } = await ada.get(`/web/meetings/${meetingId}`)
    return (body['meeting'] as { status: string }).status === 'ended' ? true : null
  })
  const signIn = { email: ben.email, password: INVITED_PASSWORD }
  const refused = await one.anonymousClient().post('/web/sign-in', signIn)
  assert.equal(refused.body.code, 'account_deactivated')

  assert.equal((await ada.put(`/web/users/${ben.id}`, { isActive: true })).status, 200)
  assert.equal((await one.anonymousClient().post('/web/sign-in', signIn)).status, 200)
  assert.equal(await useKey(), 401)
})

test('the last active admin cannot be deactivated', async () => {
  const { one, ada } = nodes()
  const carl = await invitePerson(one, ada, { role: 'admin' })
  const me = (await ada.get('/web/state')).body['user'] as { id: string }
  assert.equal((await ada.put(`/web/users/${carl.id}`, { isActive: false })).status, 200)
  const last = await ada.put(`/web/users/${me.id}`, { isActive: false })
  assert.equal(last.body.code, 'last_admin')
  // A deactivated admin can be removed, because there is an active one.
  assert.equal((await ada.delete(`/web/users/${carl.id}`)).status, 200)
})

test('an assistant that was revoked on one node is refused on the other', async () => {
  const { one, two, ada } = nodes()
  const assistant = await TestAssistant.register(urlOf(one), ISSUER)
  const tokens = await assistant.connect(ada)
  const onTwo = new TestAssistant(urlOf(two), ISSUER)
  assert.equal(await onTwo.callTool(tokens.access), 200)
  assert.equal((await assistant.revoke(tokens.refresh)).status, 200)
  await waitUntilRefused(() => onTwo.callTool(tokens.access))
})
