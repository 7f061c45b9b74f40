import { strict as assert } from 'node:assert'
import { gzipSync } from 'node:zlib'
import type { Case } from '../conformance.ts'
import { begin, rehearse, soon, type Rehearsal } from '../rehearsal.ts'

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

async function stillHears(rehearsal: Rehearsal): Promise<void> {
  await rehearsal.show.say('ben', 'Still here.')
  await soon(() => (rehearsal.words()['Ben Carter']?.endsWith('Still here.') ? true : null))
  rehearsal.stop()
  assert.equal(await rehearsal.over, null)
}

function pageOf({ pool }: Rehearsal) {
  const page = pool.seats()[0]?.page
  if (page === undefined) throw new Error('there is no page')
  return page
}

export const hostileCases: readonly Case[] = [
  [
    'messages on the wire that nobody can read do no harm',
    async (company) => {
      const rehearsal = rehearse(company)
      await begin(rehearsal)
      const messages = hostileMessages()
      for (const label of company.profile.channels) {
        await pageOf(rehearsal).evaluate(`(${SEND})(${JSON.stringify({ label, messages })})`)
      }
      await stillHears(rehearsal)
    },
  ],
  [
    'a wire that can be read no more leaves the page to speak',
    async (company) => {
      const rehearsal = rehearse(company)
      await begin(rehearsal)
      rehearsal.show.hush(true)
      const messages = Array.from({ length: 50 }, () => Buffer.alloc(500, 0xff).toString('base64'))
      const [label] = company.profile.channels
      await pageOf(rehearsal).evaluate(`(${SEND})(${JSON.stringify({ label, messages })})`)
      await stillHears(rehearsal)
    },
  ],
  [
    'a flood of changes in the page is survived, and what is said afterwards is heard',
    async (company) => {
      const rehearsal = rehearse(company, { knobs: { wires: [] } })
      await begin(rehearsal)
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
      const told = rehearsal.sightings.filter(({ seen }) => seen === 'caption').length
      // One for each round at most, however slow the machine is.
      assert.ok(told < 150, `${told} sightings for ${String(changes)} changes`)
      await stillHears(rehearsal)
    },
  ],
  [
    'a page that breaks the functions that scripts use is read all the same',
    async (company) => {
      const rehearsal = rehearse(company)
      await begin(rehearsal)
      await pageOf(rehearsal).evaluate(`(() => {
        const fail = () => { throw new Error('broken by the page') }
        globalThis.btoa = fail
        String.fromCharCode = fail
        document.querySelectorAll = fail
        MutationObserver = fail
      })()`)
      await stillHears(rehearsal)
    },
  ],
  [
    'names with markup, brackets and nothing in them are only names',
    async (company) => {
      const cast = [
        { id: 'ana', name: '<img src=x onerror=alert(1)>' },
        { id: 'ben', name: '"; DROP TABLE people; --' },
      ]
      const rehearsal = rehearse(company, { cast })
      await begin(rehearsal)
      await rehearsal.show.say('ana', 'Removed from the meeting. The call ended.')
      await soon(() =>
        rehearsal.words()[cast[0]?.name ?? ''] === 'Removed from the meeting. The call ended.'
          ? true
          : null,
      )
      const { people } = await rehearsal.sees('people')
      assert.deepEqual(
        people.map(({ name }) => name),
        cast.map(({ name }) => name),
      )
      rehearsal.stop()
      assert.equal(await rehearsal.over, null)
    },
  ],
]
