import { strict as assert } from 'node:assert'
import type { Screen } from '../../../stage/show/events.ts'
import type { Case } from '../conformance.ts'
import { begin, rehearse, soon, type Rehearsal } from '../rehearsal.ts'

async function shows(rehearsal: Rehearsal, names: readonly string[]): Promise<void> {
  await soon(() => {
    const last = rehearsal.sightings.findLast(({ seen }) => seen === 'people')
    const shown = last?.seen === 'people' ? last.people.map(({ name }) => name) : []
    return JSON.stringify(shown) === JSON.stringify(names) ? true : null
  })
}

/** The second guest of a show is the bot come back. */
async function comesBack(rehearsal: Rehearsal): Promise<void> {
  await rehearsal.sees('admitted', 2)
  await soon(() => {
    const guest = rehearsal.show.audience.guests.at(-1)
    return guest?.deeds.has('captions on') ? true : null
  })
}

/** What becomes of a page in mid-call that does not mean its end. */
export function opensAgainAfter(screen: Screen): Case[1] {
  return async (company) => {
    const rehearsal = rehearse(company)
    await begin(rehearsal)
    const { show } = rehearsal
    show.turn(screen)
    // Who knocks from now on is let in.
    await soon(() =>
      show.audience.guests.every(({ deeds }) => !deeds.has('entered')) ? true : null,
    )
    show.admit()
    await comesBack(rehearsal)
    await show.say('ana', 'Welcome back.')
    await soon(() => (rehearsal.words()['Ana Ribeiro'] === 'Welcome back.' ? true : null))
    rehearsal.stop()
    assert.equal(await rehearsal.over, null)
  }
}

export const callCases: readonly Case[] = [
  [
    'people come and go by the wire',
    async (company) => {
      const rehearsal = rehearse(company)
      await begin(rehearsal)
      await shows(rehearsal, ['Ana Ribeiro', 'Ben Carter'])
      rehearsal.show.join('chloe')
      await shows(rehearsal, ['Ana Ribeiro', 'Ben Carter', 'Chloé Martin'])
      rehearsal.show.leave('ana')
      await shows(rehearsal, ['Ben Carter', 'Chloé Martin'])
      rehearsal.stop()
      await rehearsal.over
    },
  ],
  [
    'people come and go by the panel when the wire says nothing',
    async (company) => {
      const rehearsal = rehearse(company, { knobs: { hasRoster: false } })
      await begin(rehearsal)
      await shows(rehearsal, ['Ana Ribeiro', 'Ben Carter'])
      const { people } = await rehearsal.sees('people')
      assert.equal(people[0]?.isHost, true)
      rehearsal.show.join('chloe')
      rehearsal.show.leave('ben')
      await shows(rehearsal, ['Ana Ribeiro', 'Chloé Martin'])
      rehearsal.stop()
      await rehearsal.over
    },
  ],
  [
    'a connection that is lost for a moment is waited for',
    async (company) => {
      const rehearsal = rehearse(company)
      await begin(rehearsal)
      rehearsal.show.connection(true)
      await rehearsal.show.say('ana', 'Can you hear me?')
      rehearsal.show.connection(false)
      await soon(() => (rehearsal.words()['Ana Ribeiro'] === 'Can you hear me?' ? true : null))
      rehearsal.stop()
      assert.equal(await rehearsal.over, null)
      assert.equal(rehearsal.sightings.filter(({ seen }) => seen === 'admitted').length, 1)
    },
  ],
  ['a page that wanders off in mid-call is opened again', opensAgainAfter('away')],
  [
    'a page that crashes is replaced, and its captions are told apart from those before',
    async (company) => {
      const rehearsal = rehearse(company)
      await begin(rehearsal)
      const { show, pool } = rehearsal
      const first = 'Said before the crash.'
      await show.say('ana', first)
      // All of it: what the page had not told yet when it crashed is gone with it.
      await soon(() => (rehearsal.words()['Ana Ribeiro'] === first ? true : null))
      const before = new Set(rehearsal.captionIds().map((id) => id.split('/')[0]))
      crash(pool)
      await comesBack(rehearsal)
      await show.say('ana', 'Said after the crash.')
      const all = `${first} Said after the crash.`
      await soon(() => (rehearsal.words()['Ana Ribeiro'] === all ? true : null))
      const after = new Set(rehearsal.captionIds().map((id) => id.split('/')[0]))
      assert.deepEqual([before.size, after.size], [1, 2])
      rehearsal.stop()
      assert.equal(await rehearsal.over, null)
      assert.equal(pool.seats().length, 0)
    },
  ],
  [
    'a bot that nobody lets in again after a crash gives up',
    async (company) => {
      const rehearsal = rehearse(company, { patience: { readmitMs: 300 } })
      await begin(rehearsal)
      rehearsal.show.turn('lobby')
      crash(rehearsal.pool)
      assert.equal((await rehearsal.over)?.because, 'no_answer')
    },
  ],
  [
    'a page that crashes again and again ends in browser_crashed',
    async (company) => {
      const rehearsal = rehearse(company, { knobs: { opening: 'splash' } })
      for (let nth = 0; nth < 4; nth += 1) {
        const seat = await soon(
          () =>
            rehearsal.pool
              .seats()
              .find(({ page, lost }) => !lost.aborted && page.url().startsWith('https')) ?? null,
        )
        crash(rehearsal.pool)
        await soon(() => (seat.lost.aborted ? true : null))
      }
      assert.equal((await rehearsal.over)?.because, 'browser_crashed')
    },
  ],
  [
    'a call that is found by lesser marks is reported as drift',
    async (company) => {
      const rehearsal = rehearse(company, { knobs: { generation: 'earlier', locale: 'en' } })
      await begin(rehearsal)
      const { drifts } = await rehearsal.sees('drift')
      assert.ok(drifts.every(({ foundBy }) => foundBy !== null))
      assert.ok(drifts.some(({ part }) => part === company.profile.driftsIn))
      rehearsal.stop()
      await rehearsal.over
    },
  ],
]

/** The command never answers, as nobody is there any more to do so. */
function crash(pool: Rehearsal['pool']): void {
  for (const { session } of pool.seats()) {
    void session.send('Page.crash').catch((error: unknown) => String(error))
  }
}
