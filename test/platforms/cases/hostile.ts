import { strict as assert } from 'node:assert'
import { gzipSync } from 'node:zlib'
import type { ConformanceCase } from '../conformance.ts'
import { admitBot, startStageRun, waitFor, type StageRun } from '../stage-run.ts'

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

/** Messages that decompress to too much, are truncated, compressed repeatedly, deeply nested or random. */
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

async function assertStillTranscribing(run: StageRun): Promise<void> {
  await run.show.say('ben', 'Still here.')
  await waitFor(() => (run.wordsBySpeaker()['Ben Carter']?.endsWith('Still here.') ? true : null))
  run.stop()
  assert.equal(await run.finished, null)
}

function pageOf({ pool }: StageRun) {
  const page = pool.inUse()[0]?.page
  if (page === undefined) throw new Error('there is no page')
  return page
}

export const hostileCases: readonly ConformanceCase[] = [
  [
    'undecodable messages on the wire do no harm',
    async (setup) => {
      const run = startStageRun(setup)
      await admitBot(run)
      const messages = hostileMessages()
      for (const label of setup.profile.channels) {
        await pageOf(run).evaluate(`(${SEND})(${JSON.stringify({ label, messages })})`)
      }
      await assertStillTranscribing(run)
    },
  ],
  [
    'captions continue from the page when the wire becomes undecodable',
    async (setup) => {
      const run = startStageRun(setup)
      await admitBot(run)
      run.show.setWireCaptionsMuted(true)
      const messages = Array.from({ length: 50 }, () => Buffer.alloc(500, 0xff).toString('base64'))
      const [label] = setup.profile.channels
      await pageOf(run).evaluate(`(${SEND})(${JSON.stringify({ label, messages })})`)
      await assertStillTranscribing(run)
    },
  ],
  [
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
      const changes = await pageOf(run).evaluate(
        `(${flood})(${JSON.stringify(setup.profile.textCss)})`,
      )
      assert.equal(changes, 10_000)
      const captionEvents = run.events.filter(({ kind }) => kind === 'caption').length
      // At most one event per round, however slow the machine is.
      assert.ok(captionEvents < 150, `${captionEvents} events for ${String(changes)} changes`)
      await assertStillTranscribing(run)
    },
  ],
  [
    'a page that breaks built-in functions is still transcribed',
    async (setup) => {
      const run = startStageRun(setup)
      await admitBot(run)
      await pageOf(run).evaluate(`(() => {
        const fail = () => { throw new Error('broken by the page') }
        globalThis.btoa = fail
        String.fromCharCode = fail
        document.querySelectorAll = fail
        MutationObserver = fail
      })()`)
      await assertStillTranscribing(run)
    },
  ],
  [
    'names with markup and brackets are treated as plain names',
    async (setup) => {
      const cast = [
        { id: 'ana', name: '<img src=x onerror=alert(1)>' },
        { id: 'ben', name: '"; DROP TABLE people; --' },
      ]
      const run = startStageRun(setup, { cast })
      await admitBot(run)
      await run.show.say('ana', 'Removed from the meeting. The call ended.')
      await waitFor(() =>
        run.wordsBySpeaker()[cast[0]?.name ?? ''] === 'Removed from the meeting. The call ended.'
          ? true
          : null,
      )
      const { people } = await run.waitForEvent('people')
      assert.deepEqual(
        people.map(({ name }) => name),
        cast.map(({ name }) => name),
      )
      run.stop()
      assert.equal(await run.finished, null)
    },
  ],
]
