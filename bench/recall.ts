import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { INSTANCE_VIEWER } from '../src/access/viewer.ts'
import type { Db } from '../src/db/database.ts'
import { findPassagesForQuestion } from '../src/projects/search/questions/find-passages.ts'
import { measureRecall, type RecallFigures } from './measures/question-recall.ts'
import { openInstance, openInstanceDatabase } from './support/instance.ts'
import {
  readOwnMeetings,
  readQmsumMeetings,
  storeMeeting,
  type SpokenMeeting,
} from './support/spoken-meetings.ts'
import { createTextGenerator } from './support/text-generator.ts'
import { median } from './support/figures.ts'

const SIZES = [1_000, 100_000]
const LINES_PER_MEETING = 500
const WORDS_PER_LINE = 15
const QUESTIONS = 60
const GOALS = { hitAt5InMeeting: 0.82, hitAt5Everywhere: 0.6, timeRatio: 2 }
const HOW_TO_GET_THE_PUBLIC_SET = `  The public set is QMSum (MIT licence, 232 real meetings with 1,808 questions and evidence):
    git clone https://github.com/Yale-LILY/QMSum && npm run bench -- recall QMSum
  Its test part is only measured: the ranking was tuned on the other two parts.`

export const recall = {
  about: 'how often a question finds the lines that answer it; FOLDER adds the public set',
  async run() {
    const folder = process.argv[3]
    await printRecall('own set', readOwnMeetings())
    if (folder === undefined || !existsSync(join(folder, 'data/ALL/test'))) {
      console.log(HOW_TO_GET_THE_PUBLIC_SET)
    } else {
      await printRecall('public set, validation part', readQmsumMeetings(folder, 'val'))
      await printRecall(
        `public set, test part (goals for hit@5: ${GOALS.hitAt5InMeeting} in its meeting, ${GOALS.hitAt5Everywhere} in all)`,
        readQmsumMeetings(folder, 'test'),
      )
    }
    await printTimes()
  },
}

async function printRecall(title: string, meetings: readonly SpokenMeeting[]): Promise<void> {
  await using world = await openWorld()
  for (const meeting of meetings) await storeMeeting(world.db, meeting)
  console.log(`  ${title}`)
  console.log(`    in its meeting   ${describe(await measureRecall(world.db, meetings))}`)
  const everywhere = await measureRecall(world.db, meetings, { isEverywhere: true })
  console.log(`    in all meetings  ${describe(everywhere)}`)
}

function describe(figures: RecallFigures): string {
  const { questions, hitAt5, passageHitAt5, meanReciprocalRank } = figures
  return `hit@5 ${hitAt5.toFixed(3)}, with the lines around ${passageHitAt5.toFixed(3)}, mean reciprocal rank ${meanReciprocalRank.toFixed(3)} (${questions} questions)`
}

type World = AsyncDisposable & { db: Db }

async function openWorld(): Promise<World> {
  await using stack = new AsyncDisposableStack()
  const instance = stack.use(await openInstance())
  const { db } = stack.use(await openInstanceDatabase(instance.data))
  const opened = stack.move()
  return { db, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** The time of one question at both sizes, in turns, so that other load affects both. */
async function printTimes(): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const worlds: World[] = []
  for (const size of SIZES) {
    const world = stack.use(await openWorld())
    await storeGeneratedMeetings(world.db, size)
    worlds.push(world)
  }
  const kinds = { 'with rare words': [200, 20_000], 'with frequent words only': [5, 60] } as const
  for (const [kind, [from, to]] of Object.entries(kinds)) {
    const generator = createTextGenerator(7)
    const times: number[][] = worlds.map(() => [])
    for (let i = 0; i < QUESTIONS; i += 1) {
      const question = Array.from({ length: 5 }, () => generator.wordOfRank(from, to)).join(' ')
      for (const [w, { db }] of worlds.entries()) {
        const began = performance.now()
        await findPassagesForQuestion(db, INSTANCE_VIEWER, { question, limit: 5 })
        // The first questions warm up connections and caches.
        if (i >= QUESTIONS / 6) times[w]?.push(performance.now() - began)
      }
    }
    const [small = 0, large = 0] = times.map(median)
    console.log(
      `  a question ${kind}: ${large.toFixed(1)} ms at ${SIZES[1]} passages, ${small.toFixed(1)} ms at ${SIZES[0]}: ${(large / small).toFixed(2)} times (goal: at most ${GOALS.timeRatio})`,
    )
  }
}

async function storeGeneratedMeetings(db: Db, size: number): Promise<void> {
  const generator = createTextGenerator(1)
  for (let i = 0; i * LINES_PER_MEETING < size; i += 1) {
    const lines = Array.from({ length: LINES_PER_MEETING }, (_, k) => ({
      speaker: `Speaker ${k % 5}`,
      text: generator.text(WORDS_PER_LINE),
    }))
    const startedAt = new Date(Date.UTC(2026, 0, 1, i))
    await storeMeeting(db, { name: `m${i}`, title: `Talk ${i}`, lines }, { startedAt })
  }
  // PostgreSQL does this by itself within minutes.
  for (const table of ['segment', 'meeting'])
    await sql`vacuum analyze ${sql.table(table)}`.execute(db)
}
