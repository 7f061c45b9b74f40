import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Platform } from '../../src/bots/platforms/platform.ts'
import { openBotAccounts } from '../support/meetings/bot-accounts.ts'
import { eventually } from '../support/time/eventually.ts'
import { MASTER_KEY, startTwoNodes } from '../support/service/start-nodes.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { createScriptedPlatform } from '../support/meetings/scripted-platform.ts'

/** A platform that records which account each bot used and how many bots attended at the same time. */
function createCountingPlatform() {
  const staged = createScriptedPlatform()
  const inside = new Map<string, number>()
  const most = new Map<string, number>()
  const platform: Platform = {
    ...staged,
    async *attend(joinRequest, signal) {
      const who = joinRequest.account ?? 'a guest'
      inside.set(who, (inside.get(who) ?? 0) + 1)
      most.set(who, Math.max(most.get(who) ?? 0, inside.get(who) ?? 0))
      try {
        yield* staged.attend(joinRequest, signal)
      } finally {
        inside.set(who, (inside.get(who) ?? 0) - 1)
      }
    },
  }
  return { platform, room: staged.room, most }
}

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f']

test('a bot account is used by at most as many bots as its limit, over two nodes', async () => {
  const { platform, room, most } = createCountingPlatform()
  await using nodes = await startTwoNodes({ HANSARD_MAX_BOTS: '10' }, { platforms: [platform] })
  await using stored = await openBotAccounts(nodes.one.databaseUrl)
  await stored.addGoogle('notes', 2)
  const program = await openMeetingsClient(nodes.one)
  for (const name of [...NAMES, 'guest']) room(name).emit({ kind: 'admitted' })
  const started = await Promise.all(
    NAMES.map((name) => program.start(`stage://${name}`, { account: 'notes' })),
  )
  const guest = await program.start('stage://guest')
  await program.waitForStatus(guest, ['live'])

  const isVisited = (name: string) => room(name).countAttendances() > 0
  await eventually(() => (NAMES.filter(isVisited).length >= 2 ? true : null))
  const [ended, waiting] = [new Set<string>(), new Set(NAMES)]
  while (waiting.size > 0 || ended.size < NAMES.length) {
    const live = await eventually(
      () => NAMES.find((name) => isVisited(name) && !ended.has(name)) ?? null,
    )
    waiting.delete(live)
    ended.add(live)
    room(live).emit({ kind: 'over', because: 'host_ended' })
  }
  for (const id of started) assert.equal((await program.waitForStatus(id))['status'], 'ended')
  assert.deepEqual(Object.fromEntries(most), { notes: 2, 'a guest': 1 })
  assert.deepEqual(
    NAMES.map((name) => room(name).countAttendances()),
    NAMES.map(() => 1),
  )
})

test('meetings of a fully used account wait, are counted, and are rejected when too many wait or the account is a wrong one', async () => {
  const { platform, room } = createCountingPlatform()
  const env = { HANSARD_MASTER_KEY: MASTER_KEY, HANSARD_QUEUE_LIMIT: '1', HANSARD_MAX_BOTS: '5' }
  await using service = await startService(env, { platforms: [platform] })
  await using stored = await openBotAccounts(service.databaseUrl)
  await stored.addGoogle('notes')
  const program = await openMeetingsClient(service)
  // A start is rejected when its account does not exist or belongs to another platform.
  for (const [url, account, says] of [
    ['stage://a', 'nobody', /There is no bot account with that name/],
    ['stage://a', "'; drop table meeting; --", /There is no bot account with that name/],
    ['practice://standup', 'notes', /That bot account is for Google Meet/],
    ['https://teams.microsoft.com/meet/1234567890123?p=abc', 'notes', /is for Google Meet/],
  ] as const) {
    const rejected = await program.post('/start', {
      url,
      account,
      callbackUrl: 'http://127.0.0.1:9/',
    })
    assert.deepEqual([rejected.status, rejected.body.code], [400, 'invalid_request'])
    const [detail] = rejected.body['details'] as Array<{ path: string; message: string }>
    assert.equal(detail?.path, 'account')
    assert.match(detail.message, says)
  }
  for (const name of ['a', 'b']) room(name).emit({ kind: 'admitted' })
  const first = await program.start('stage://a', { account: 'notes' })
  await program.waitForStatus(first, ['live'])
  const second = await program.start('stage://b', { account: 'notes' })
  const body = { url: 'stage://c', callbackUrl: 'http://127.0.0.1:9/', account: 'notes' }
  const refused = await program.post('/start', body)
  assert.deepEqual([refused.status, refused.body.code], [503, 'at_capacity'])
  assert.match(
    String(refused.body.error),
    /already attends 1 meetings and 1 more are waiting for it/,
  )

  const [account] = (await program.ask('GET', '/bot-accounts')).body['botAccounts'] as object[]
  assert.partialDeepStrictEqual(account, {
    name: 'notes',
    platform: 'google_meet',
    limit: 1,
    inUse: 1,
  })
  assert.deepEqual(await removal(stored.accounts.remove('notes', ACTOR)), 'bot_account_in_use')
  assert.equal(room('b').countAttendances(), 0)
  room('a').emit({ kind: 'over', because: 'removed' })
  await program.waitForStatus(second, ['live'])
  room('b').emit({ kind: 'over', because: 'removed' })
  await program.waitForStatus(second)
  await stored.accounts.remove('notes', ACTOR)
  assert.deepEqual(await removal(stored.accounts.remove('notes', ACTOR)), 'bot_account_not_found')
})

const ACTOR = { name: 'test', ip: null }

async function removal(removing: Promise<void>): Promise<unknown> {
  try {
    await removing
    return null
  } catch (error) {
    return (error as { code?: string }).code
  }
}
