import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { INSTANCE_VIEWER } from '../../src/access/viewer.ts'
import { COMMAND_LINE_ACTOR } from '../../src/accounts/audit.ts'
import { wrapPoolToSaveAccountStates } from '../../src/bots/accounts/account-refresh-pool.ts'
import {
  parseStorageState,
  validateAndFilterStorageState,
  signInStatusOf,
} from '../../src/bots/accounts/storage-state.ts'
import type { BrowserPool } from '../../src/bots/browser/pool/browser-slot.ts'
import { createLog } from '../../src/log.ts'
import { openBotAccounts, signedInState } from '../support/meetings/bot-accounts.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { openTestDatabase } from '../support/database/test-database.ts'

const PLATFORM = 'google_meet'

test('only cookies and storage of the platform are stored for a bot account', () => {
  const mine = signedInState(PLATFORM, 'a')
  const [cookie] = mine.cookies
  assert.ok(cookie)
  const strangers = [
    'bank.example',
    '.evilgoogle.com',
    'google.com.evil.example',
    '.teams.live.com',
  ]
  const given = {
    cookies: [...mine.cookies, ...strangers.map((domain) => ({ ...cookie, domain }))],
    origins: [
      { origin: 'https://meet.google.com', localStorage: [{ name: 'a', value: 'b' }] },
      { origin: 'https://bank.example', localStorage: [{ name: 'a', value: 'b' }] },
    ],
  }
  const read = validateAndFilterStorageState(PLATFORM, given)
  assert.ok(read.isValid)
  assert.deepEqual(read.state.cookies, mine.cookies)
  assert.deepEqual(
    read.state.origins.map(({ origin }) => origin),
    ['https://meet.google.com'],
  )
})

test('an invalid storage state is rejected without quoting its content', () => {
  const secret = 'sesame-open'
  for (const text of [
    `{"cookies": "${secret}"`,
    `{"cookies": "${secret}"}`,
    `["${secret}"]`,
    `{"cookies": [{"name": "SID", "value": "${secret}", "domain": 5}]}`,
    JSON.stringify(signedInState('microsoft_teams', secret)),
    'x'.repeat(5_000_000),
    'null',
  ]) {
    const read = parseStorageState(PLATFORM, text)
    assert.ok(!read.isValid)
    assert.ok(!read.problem.includes(secret), read.problem)
  }
})

test('a state shows whether the account is signed in and until when', () => {
  const now = new Date('2026-11-15T12:00:00Z')
  const at = (seconds: number) => {
    const state = signedInState(PLATFORM, 'a')
    for (const cookie of state.cookies) cookie.expires = seconds
    return signInStatusOf(PLATFORM, state, now)
  }
  const seconds = now.getTime() / 1000
  assert.deepEqual(at(-1), { isSignedIn: true, expiresAt: null })
  assert.deepEqual(at(seconds + 60), {
    isSignedIn: true,
    expiresAt: new Date(now.getTime() + 60_000),
  })
  assert.deepEqual(at(seconds - 60), { isSignedIn: false, expiresAt: null })
})

test('states are encrypted in the database, and an older one never replaces a newer', async () => {
  await using database = await openTestDatabase()
  await using stored = await openBotAccounts(database.url)
  const { accounts } = stored
  await stored.addGoogle('notes')
  const { rows } = await database.pool.query<{ text: string }>(
    `select encode(state, 'escape') || row_to_json(a)::text as text from bot_account a`,
  )
  assert.ok(rows[0] && !rows[0].text.includes('secret of notes'))

  const [one, two] = [
    await accounts.loadState(PLATFORM, 'notes'),
    await accounts.loadState(PLATFORM, 'notes'),
  ]
  assert.deepEqual(one, signedInLike(one, 'secret of notes'))
  const opened = accounts.versionOf(one)
  const late = accounts.versionOf(two)
  assert.ok(opened && late)
  assert.equal(await accounts.saveRefreshedState(opened, { cookies: [], origins: [] }), false)
  assert.equal(await accounts.saveRefreshedState(opened, signedInState(PLATFORM, 'renewed')), true)
  assert.equal(await accounts.saveRefreshedState(late, signedInState(PLATFORM, 'late')), false)
  const now = await accounts.loadState(PLATFORM, 'notes')
  assert.equal(now.cookies[0]?.value, 'renewed')

  const again = { name: 'notes', platform: PLATFORM, limit: 3 } as const
  const visit = accounts.versionOf(now)
  assert.deepEqual(
    await accounts.add({ ...again, state: signedInState(PLATFORM, 'new') }, COMMAND_LINE_ACTOR),
    {
      isNew: false,
    },
  )
  assert.ok(visit && !(await accounts.saveRefreshedState(visit, signedInState(PLATFORM, 'older'))))
  assert.equal((await accounts.loadState(PLATFORM, 'notes')).cookies[0]?.value, 'new')
  assert.partialDeepStrictEqual((await accounts.list(INSTANCE_VIEWER))[0], {
    name: 'notes',
    limit: 3,
    inUse: 0,
  })
  assert.equal(await accounts.findProblem(PLATFORM, 'notes'), null)
  const state = signedInState('microsoft_teams', 'x')
  await assert.rejects(
    accounts.add({ ...again, platform: 'microsoft_teams', state }, COMMAND_LINE_ACTOR),
    /another platform/,
  )
  await assert.rejects(accounts.loadState('microsoft_teams', 'notes'), /no such bot account/)

  await stored.addGoogle('other')
  await database.pool.query(
    `update bot_account set state = (select state from bot_account where name = 'notes') where name = 'other'`,
  )
  assert.match(
    (await accounts.findProblem(PLATFORM, 'other')) ?? '',
    /cannot be read\. Add the account again/,
  )
  await assert.rejects(accounts.loadState(PLATFORM, 'other'), /cannot be read/)
})

test('cookies that a visit refreshed are saved when its slot is released', async () => {
  await using database = await openTestDatabase()
  await using stored = await openBotAccounts(database.url)
  const { accounts } = stored
  await stored.addGoogle('notes')
  const browser = await openSharedBrowser()
  const lost = new AbortController()
  const plain: BrowserPool = {
    async acquire({ storageState }) {
      const context = await browser.newContext({ ...(storageState && { storageState }) })
      const page = await context.newPage()
      const session = await context.newCDPSession(page)
      const [signal, dispose] = [lost.signal, () => context.close()]
      return {
        context,
        page,
        cdpSession: session,
        lostSignal: signal,
        reportActivity() {},
        [Symbol.asyncDispose]: dispose,
      }
    },
    async [Symbol.asyncDispose]() {},
  }
  const pool = wrapPoolToSaveAccountStates(plain, accounts, createLog('silent'))
  const visit = async (value: string) => {
    const storageState = await accounts.loadState(PLATFORM, 'notes')
    const options = { locale: 'en', mediaOrigins: [], storageState }
    await using slot = await pool.acquire(options, new AbortController().signal)
    const [cookie] = await slot.context.cookies('https://meet.google.com/')
    assert.ok(cookie)
    await slot.context.addCookies([{ ...cookie, value }])
    return cookie.value
  }
  assert.equal(await visit('first'), 'secret of notes')
  assert.equal(await visit('second'), 'first')
  lost.abort()
  assert.equal(await visit('third'), 'second')
  assert.equal((await accounts.loadState(PLATFORM, 'notes')).cookies[0]?.value, 'second')
})

function signedInLike(state: { cookies: Array<{ expires: number }> }, secret: string) {
  const like = signedInState(PLATFORM, secret)
  for (const cookie of like.cookies) cookie.expires = state.cookies[0]?.expires ?? 0
  return like
}
