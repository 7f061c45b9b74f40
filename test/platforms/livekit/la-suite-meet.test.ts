import { strict as assert } from 'node:assert'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { systemTimers } from '../../../src/lib/time/clock.ts'
import { openFakeLivekit, type FakeLivekit } from './fake-livekit.ts'
import { openVisit } from './open-visit.ts'

const PATH = '/api/v1.0/rooms/abc-defg-hij/request-entry/'
const COOKIE = 'lobbyParticipantId=5b1c2f52-2dd1-4f0c-a5b9-7f2f21a7a1d0'
type Answer = { status?: number; body: unknown }

/** A website of La Suite Meet and its LiveKit server. `answer` says what each request to enter gets. */
async function openLaSuiteMeet(
  answer: (count: number, host: string) => Answer,
): Promise<{ livekit: FakeLivekit; asked: Array<{ request: IncomingMessage; body: string }> }> {
  const asked: Array<{ request: IncomingMessage; body: string }> = []
  const livekit = await openFakeLivekit({
    answer(request, response, body) {
      asked.push({ request, body })
      const { status = 200, body: given } = answer(asked.length, livekit.host)
      response.writeHead(status, {
        'content-type': 'application/json',
        'set-cookie': ['csrftoken=x; Path=/', `${COOKIE}; HttpOnly; Path=/; SameSite=Lax; Secure`],
      })
      response.end(typeof given === 'string' ? given : JSON.stringify(given))
    },
  })
  return { livekit, asked }
}

const openGuestVisit = ({ host }: FakeLivekit) =>
  openVisit({
    host,
    key: null,
    laSuiteMeet: { host, path: '/abc-defg-hij' },
    timers: { ...systemTimers, after: (ms, run) => systemTimers.after(ms / 20, run) },
  })
const accepted = (host: string) => ({
  body: { status: 'accepted', livekit: { url: `http://${host}`, room: 'r', token: 'their-token' } },
})

test('a guest enters a public room with the token of the website', async () => {
  const { livekit, asked } = await openLaSuiteMeet((_, host) => accepted(host))
  await using _ = livekit
  await using visit = await openGuestVisit(livekit)
  await visit.waitFor('admitted')
  assert.deepEqual(
    asked.map(({ request, body }) => [request.method, request.url, body]),
    [['POST', PATH, '{"username":"Notes"}']],
  )
  assert.equal(livekit.requests.at(-1)?.headers.authorization, 'Bearer their-token')
  assert.deepEqual(
    visit.events.map(({ kind }) => kind),
    ['way in', 'admitted'],
  )
})

test('a guest who waits keeps the place in the lobby, also when the website fails once, and when joining again', async () => {
  const { livekit, asked } = await openLaSuiteMeet((count, host) => {
    if (count === 2) return { status: 502, body: 'bad gateway' }
    return count < 4 ? { body: { status: 'waiting', livekit: null } } : accepted(host)
  })
  await using _ = livekit
  await using visit = await openGuestVisit(livekit)
  await visit.waitFor('admitted')
  assert.deepEqual(
    asked.map(({ request }) => request.headers.cookie),
    [undefined, COOKIE, COOKIE, COOKIE],
  )
  assert.deepEqual(
    visit.events.map(({ kind }) => kind),
    ['way in', 'lobby', 'admitted'],
  )
  livekit.sendLeave(3, 2)
  await visit.waitFor('call lost')
  await visit.waitFor('admitted', (event) => visit.events.indexOf(event) > 3)
  assert.equal(asked.at(-1)?.request.headers.cookie, COOKIE)
})

const REFUSALS: ReadonlyArray<readonly [Answer, because: string, detail: RegExp]> = [
  [{ body: { status: 'denied', livekit: null } }, 'denied', /did not let the bot in/],
  [{ status: 404, body: { detail: 'Not found.' } }, 'meeting_not_found', /no room with this code/],
  [{ status: 403, body: {} }, 'sign_in_required', /does not let guests/],
  [{ status: 429, body: {} }, 'page_not_loaded', /answered 429/],
  [{ body: '<html>' }, 'page_not_loaded', /not answer like La Suite Meet/],
  [{ body: { status: 'accepted', livekit: null } }, 'page_not_loaded', /without naming/],
  [
    { body: { status: 'accepted', livekit: { url: 'wss://10.0.0.9', token: 'x' } } },
    'page_not_loaded',
    /10\.0\.0\.9\. Add it to HANSARD_LIVEKIT_HOSTS/,
  ],
  [
    { body: { status: 'accepted', livekit: { url: 'file:///etc/passwd', token: 'x' } } },
    'page_not_loaded',
    /names no LiveKit server/,
  ],
]

test('a refusal ends the visit with its reason, and no other server is contacted', async () => {
  for (const [answer, because, detail] of REFUSALS) {
    const { livekit } = await openLaSuiteMeet(() => answer)
    await using _ = livekit
    await using visit = await openGuestVisit(livekit)
    const over = await visit.waitFor('over')
    assert.equal(over.because, because, String(detail))
    assert.match(over.detail ?? '', detail)
    assert.equal(livekit.queries.length, 0)
  }
})

test('a bot that waits in the lobby can leave', async () => {
  const { livekit } = await openLaSuiteMeet(() => ({ body: { status: 'waiting' } }))
  await using _ = livekit
  await using visit = await openGuestVisit(livekit)
  await visit.waitFor('lobby')
  await visit.leave()
  assert.deepEqual(
    visit.events.map(({ kind }) => kind),
    ['way in', 'lobby'],
  )
})
