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

/** Oversized when unpacked, cut off, packed again and again, endless, and nonsense. */
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

async function assertStillTranscribing(rehearsal: StageRun): Promise<void> {
  await rehearsal.show.say('ben', 'Still here.')
  await waitFor(() =>
    rehearsal.wordsBySpeaker()['Ben Carter']?.endsWith('Still here.') ? true : null,
  )
  rehearsal.stop()
  assert.equal(await rehearsal.finished, null)
}

function pageOf({ pool }: StageRun) {
  const page = pool.inUse()[0]?.page
  if (page === undefined) throw new Error('there is no page')
  return page
}

export const hostileCases: readonly ConformanceCase[] = [
  [
    'messages on the wire that nobody can read do no harm',
    async (company) => {
      const rehearsal = startStageRun(company)
      await admitBot(rehearsal)
      const messages = hostileMessages()
      for (const label of company.profile.channels) {
        await pageOf(rehearsal).evaluate(`(${SEND})(${JSON.stringify({ label, messages })})`)
      }
      await assertStillTranscribing(rehearsal)
    },
  ],
  [
    'a wire that can be read no more leaves the page to speak',
    async (company) => {
      const rehearsal = startStageRun(company)
      await admitBot(rehearsal)
      rehearsal.show.hush(true)
      const messages = Array.from({ length: 50 }, () => Buffer.alloc(500, 0xff).toString('base64'))
      const [label] = company.profile.channels
      await pageOf(rehearsal).evaluate(`(${SEND})(${JSON.stringify({ label, messages })})`)
      await assertStillTranscribing(rehearsal)
    },
  ],
  [
    'a flood of changes in the page is survived, and what is said afterwards is heard',
    async (company) => {
      const rehearsal = startStageRun(company, { knobs: { wires: [] } })
      await admitBot(rehearsal)
      await rehearsal.show.say('ana', 'The first row of all.')
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
      const changes = await pageOf(rehearsal).evaluate(
        `(${flood})(${JSON.stringify(company.profile.textCss)})`,
      )
      assert.equal(changes, 10_000)
      const told = rehearsal.events.filter(({ kind }) => kind === 'caption').length
      // One for each round at most, however slow the machine is.
      assert.ok(told < 150, `${told} sightings for ${String(changes)} changes`)
      await assertStillTranscribing(rehearsal)
    },
  ],
  [
    'a page that breaks the functions that scripts use is read all the same',
    async (company) => {
      const rehearsal = startStageRun(company)
      await admitBot(rehearsal)
      await pageOf(rehearsal).evaluate(`(() => {
        const fail = () => { throw new Error('broken by the page') }
        globalThis.btoa = fail
        String.fromCharCode = fail
        document.querySelectorAll = fail
        MutationObserver = fail
      })()`)
      await assertStillTranscribing(rehearsal)
    },
  ],
  [
    'names with markup, brackets and nothing in them are only names',
    async (company) => {
      const cast = [
        { id: 'ana', name: '<img src=x onerror=alert(1)>' },
        { id: 'ben', name: '"; DROP TABLE people; --' },
      ]
      const rehearsal = startStageRun(company, { cast })
      await admitBot(rehearsal)
      await rehearsal.show.say('ana', 'Removed from the meeting. The call ended.')
      await waitFor(() =>
        rehearsal.wordsBySpeaker()[cast[0]?.name ?? ''] ===
        'Removed from the meeting. The call ended.'
          ? true
          : null,
      )
      const { people } = await rehearsal.waitForEvent('people')
      assert.deepEqual(
        people.map(({ name }) => name),
        cast.map(({ name }) => name),
      )
      rehearsal.stop()
      assert.equal(await rehearsal.finished, null)
    },
  ],
]
