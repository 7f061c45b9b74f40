import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { pino } from 'pino'
import { createAccessTokens, sealTokens } from '../../../src/calendars/providers/access-tokens.ts'
import { GOOGLE_HOSTS } from '../../../src/network/google-hosts.ts'
import { ProviderProblem } from '../../../src/calendars/providers/problems.ts'
import { createSecretBox } from '../../../src/lib/crypto.ts'
import {
  addProviderCalendar,
  startAccountWorld,
} from '../../support/calendar-accounts/account-world.ts'
import { openForFile } from '../../support/open-for-file.ts'
import { OUTLOOK_APP } from '../../support/microsoft/outlook-server.ts'

const opened = openForFile(() => startAccountWorld())
const signal = new AbortController().signal

/** An account whose tokens have another master key than the service, and what two nodes use to read it. */
async function openTwoNodes() {
  const { db, clock, outlook, addPerson } = opened()
  const person = await addPerson()
  const secretBox = createSecretBox(Buffer.alloc(32, 7))
  const subject = `${person.id}@example.com`
  const calendar = await addProviderCalendar(opened(), person, 'microsoft', { subject })
  await person.client.request('PATCH', `/web/calendars/${calendar.id}`, { isPaused: true }, {})
  const id = calendar.calendarAccountId ?? ''
  const refresh = outlook.consent.listRefreshTokens().at(-1) ?? ''
  await db
    .updateTable('calendar_account')
    .set(
      sealTokens(
        secretBox,
        id,
        { access: 'old', expiresIn: 0, refresh, scopes: null },
        clock.now(),
      ),
    )
    .where('id', '=', id)
    .execute()
  const parts = { db, clock, secretBox }
  const log = pino({ level: 'silent' })
  const find = () =>
    Promise.resolve({ provider: 'microsoft' as const, ...OUTLOOK_APP, cloud: 'global' as const })
  const http = {
    guarded: { fetch: (url: string, init: object) => fetch(url, init) as never },
    policy: { checkUrl: () => null },
    clock,
    timeoutMs: 10_000,
  }
  const hosts = { microsoft: outlook.hosts, google: GOOGLE_HOSTS }
  const nodes = [1, 2].map(() => createAccessTokens({ ...parts, log, http, hosts, apps: { find } }))
  return { id, nodes, db, outlook }
}

test('two nodes that need a token at once renew it once, although the refresh token is replaced', async () => {
  const { id, nodes, outlook } = await openTwoNodes()
  const { refreshes } = outlook.consent
  const tokens = await Promise.all(
    [...nodes, ...nodes, ...nodes].map((node) => node.get(id, signal)),
  )
  assert.equal(outlook.consent.refreshes - refreshes, 1)
  assert.equal(new Set(tokens.map((token) => token.text)).size, 1)
  // All of them learn at once that the token is refused, and one of them gets a new one.
  const refused = tokens[0]?.text ?? ''
  const renewed = await Promise.all(
    [...nodes, ...nodes, ...nodes].map((node) => node.get(id, signal, refused)),
  )
  assert.equal(outlook.consent.refreshes - refreshes, 2)
  assert.ok(renewed.every((token) => token.text === renewed[0]?.text && token.text !== refused))
})

test('a renewal whose node ended is taken over after its lease, and one that was overtaken stores nothing', async () => {
  const { id, nodes, db, outlook } = await openTwoNodes()
  await db
    .updateTable('calendar_account')
    .set({ renew_until: new Date(Date.now() - 1_000) })
    .where('id', '=', id)
    .execute()
  let overtake = true
  outlook.fault = async ({ path }) => {
    if (path.endsWith('/token') && overtake) {
      overtake = false
      // As a new sign-in of the person does.
      await db
        .updateTable('calendar_account')
        .set((eb) => ({ renew_fence: eb('renew_fence', '+', 1), renew_until: null }))
        .where('id', '=', id)
        .execute()
    }
    return undefined
  }
  const first = await nodes[0]?.get(id, signal)
  outlook.fault = null
  assert.ok(first)
  const { access_expires_at: expiresAt } = await db
    .selectFrom('calendar_account')
    .select('access_expires_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  assert.ok(expiresAt !== null && expiresAt <= opened().clock.now())
})

test('a revoked account needs one request, and none afterwards', async () => {
  const { id, nodes, outlook } = await openTwoNodes()
  for (const token of outlook.consent.listRefreshTokens()) outlook.consent.revokeToken(token)
  const { refreshes } = outlook.consent
  for (const node of nodes)
    await assert.rejects(node.get(id, signal), (error) => {
      return error instanceof ProviderProblem && error.code === 'sign_in_needed'
    })
  assert.equal(outlook.consent.refreshes - refreshes, 1)
})
