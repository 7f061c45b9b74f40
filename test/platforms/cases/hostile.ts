import { strict as assert } from 'node:assert'
import { gzipSync } from 'node:zlib'
import type { ConformanceCase } from '../conformance.ts'
import { admitBot, leaveCall, startStageRun, waitForWords, type StageRun } from '../stage-run.ts'

/** Sends bytes on a data channel of the page as if they came from the platform's servers. */
const SEND = `async ({ label, messages }) => {
  const near = new RTCPeerConnection()
  const far = new RTCPeerConnection()
  near.onicecandidate = ({ candidate }) => candidate && far.addIceCandidate(candidate)
  far.onicecandidate = ({ candidate }) => candidate && near.addIceCandidate(candidate)
  const arrived = new Promise((resolve) => {
    near.ondatachannel = ({ channel }) => {
      let count = 0
      channel.onmessage = () => { count += 1; if (count === messages.length) resolve() }
    }
  })
  const channel = far.createDataChannel(label)
  await far.setLocalDescription(await far.createOffer())
  await near.setRemoteDescription(far.localDescription)
  await near.setLocalDescription(await near.createAnswer())
  await far.setRemoteDescription(near.localDescription)
  if (channel.readyState !== 'open') await new Promise((resolve) => { channel.onopen = resolve })
  for (const message of messages) channel.send(Uint8Array.from(atob(message), (c) => c.charCodeAt(0)))
  await arrived
}`

/** Messages that decompress to too much, or are truncated, compressed repeatedly, deeply nested or random. */
function hostileMessages(): string[] {
  const bomb = gzipSync(Buffer.alloc(64 * 1_024 * 1_024))
  const cut = gzipSync(Buffer.from('x'.repeat(1_000))).subarray(0, 20)
  const deep = Buffer.from('['.repeat(60_000))
  let packed: Buffer = Buffer.from('nothing in here')
  for (let level = 0; level < 50; level += 1) packed = gzipSync(packed)
  return [
    bomb,
    cut,
    packed,
    deep,
    Buffer.alloc(0),
    Buffer.alloc(100_000, 0xff),
    Buffer.from([0x0a, 0xff]),
  ].map((bytes) => bytes.subarray(0, 200_000).toString('base64'))
}

/** Sends messages, as base64, on a data channel of the page. */
export async function sendOnChannel(
  run: StageRun,
  label: string | undefined,
  messages: readonly string[],
): Promise<void> {
  await pageOf(run).evaluate(`(${SEND})(${JSON.stringify({ label, messages })})`)
}

function pageOf({ pool }: StageRun) {
  const page = pool.inUse()[0]?.page
  if (page === undefined) throw new Error('there is no page')
  return page
}

const CAST = [
  { id: 'ana', name: '<img src=x onerror=alert(1)>' },
  { id: 'ben', name: '"; DROP TABLE people; --' },
]

export const hostileCases: readonly ConformanceCase[] = [
  [
    'a call goes on with markup in names, undecodable messages and built-in functions that the page breaks',
    async (setup) => {
      const run = startStageRun(setup, { cast: CAST })
      await admitBot(run)
      const { people } = await run.waitForEvent('people')
      assert.deepEqual(
        people.map(({ name }) => name),
        CAST.map(({ name }) => name),
      )
      let said = ''
      const assertTranscribed = async (text: string) => {
        await run.show.say('ana', text)
        said = `${said} ${text}`.trim()
        await waitForWords(run, CAST[0]?.name ?? '', said)
      }
      await assertTranscribed('Removed from the meeting. The call ended.')

      const messages = hostileMessages()
      for (const label of setup.profile.channels) await sendOnChannel(run, label, messages)
      await assertTranscribed('Nothing of that did any harm.')

      await pageOf(run).evaluate(`(() => {
        const fail = () => { throw new Error('broken by the page') }
        globalThis.btoa = fail
        String.fromCharCode = fail
        document.querySelectorAll = fail
        MutationObserver = fail
      })()`)
      await assertTranscribed('The page has other functions now.')
      await leaveCall(run)
    },
  ],
]

/** The same code runs on all platforms, so one of them is enough. */
export const rowFloodCase: ConformanceCase = [
  'captions after a flood of page changes are transcribed',
  async (setup) => {
    const run = startStageRun(setup, { knobs: { wires: [] } })
    await admitBot(run)
    await run.show.say('ana', 'The first row of all.')
    const flood = `async (css) => {
      const text = document.querySelector(css).firstChild
      const was = text.data
      let n = 0
      for (let round = 0; round < 100; round += 1) {
        for (let i = 0; i < 100; i += 1) text.data = was + ' ' + n++
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      text.data = was
      return n
    }`
    const css = JSON.stringify(setup.profile.textCss)
    const changes = await pageOf(run).evaluate(`(${flood})(${css})`)
    assert.equal(changes, 10_000)
    const captionEvents = run.events.filter(({ kind }) => kind === 'caption').length
    // At most one event per round, even on a slow machine.
    assert.ok(captionEvents < 150, `${captionEvents} events for ${String(changes)} changes`)
    await run.show.say('ben', 'Still here.')
    await waitForWords(run, 'Ben Carter', 'Still here.')
    await leaveCall(run)
  },
]
