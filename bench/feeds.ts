import { spawn, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { FeedError } from '../src/calendars/ics/problems.ts'
import { readFeed } from '../src/calendars/ics/read-feed.ts'
import { DAY_MS } from '../src/lib/time/durations.ts'

const ENGINE = fileURLToPath(new URL('support/feeds/list_occurrences.py', import.meta.url))
const PYTHON = 'python3'
/** With so few, a feed of many years takes only seconds. */
const MAX_WINDOWS = 12
/** How many differing feeds are named. */
const MAX_NAMED = 100

type Window = { from: Date; to: Date }
type OccurrenceRow = [uid: string, start: string, end: string]
type EngineAnswer = { windows: OccurrenceRow[][] }

export const feeds = {
  about: 'how many occurrences of the .ics files in FOLDER agree with recurring_ical_events',
  async run([folder]: readonly string[] = []) {
    const hasEngine = spawnSync(PYTHON, ['-c', 'import recurring_ical_events']).status === 0
    if (folder === undefined || !hasEngine) {
      console.log('  npm run bench -- feeds FOLDER; it needs Python with recurring_ical_events')
      return
    }
    await using engine = startEngine()
    const totals = {
      feeds: 0,
      equalFeeds: 0,
      empty: 0,
      both: 0,
      all: 0,
      refusedHere: 0,
      refusedThere: 0,
    }
    const differing: string[] = []
    for (const file of globSync('**/*.ics', { cwd: folder }).toSorted()) {
      const path = join(folder, file)
      const windows = chooseWindows(readFileSync(path, 'latin1'))
      const ours = listOurs(readFileSync(path), windows)
      const theirs = await engine.list(path, windows)
      if (ours === null) totals.refusedHere += 1
      if (theirs === null) totals.refusedThere += 1
      if (ours === null || theirs === null) continue
      const [mine, other] = [new Set(ours), new Set(theirs)]
      const [both, all] = [mine.intersection(other).size, mine.union(other).size]
      // For example feeds that only describe time zones.
      if (all === 0) totals.empty += 1
      if (all === 0) continue
      totals.feeds += 1
      totals.both += both
      totals.all += all
      if (both === all) totals.equalFeeds += 1
      else differing.push(`${file}: ${both} of ${all}`)
    }
    const { feeds: count, equalFeeds, empty, both, all, refusedHere, refusedThere } = totals
    const share = ((100 * equalFeeds) / count).toFixed(2)
    console.log(
      `  feeds that agree: ${equalFeeds} of ${count} (${share} %), and ${empty} without occurrences`,
    )
    console.log(
      `  occurrences that agree: ${both} of ${all} (${((100 * both) / all).toFixed(2)} %)`,
    )
    console.log(
      `  feeds that are not read: ${refusedHere} here, ${refusedThere} by the other engine`,
    )
    for (const line of differing.slice(0, MAX_NAMED)) console.log(`    ${line}`)
  },
}

/** Months in which events of the feed start, spread over all such months. */
function chooseWindows(text: string): Window[] {
  const starts = text.matchAll(/^DTSTART[^:\n]*:(?:.*:)?(\d{4})(\d{2})\d{2}/gm)
  const months = [...new Set(Array.from(starts, ([, year, month]) => `${year}-${month}`))]
    .filter((month) => month > '1900' && Number(month.slice(5)) <= 12)
    .toSorted()
  const step = Math.max(1, months.length / MAX_WINDOWS)
  return Array.from({ length: Math.min(months.length, MAX_WINDOWS) }, (_, i) => {
    const from = new Date(`${months[Math.floor(i * step)]}-01T00:00:00Z`)
    const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 2))
    return { from, to }
  })
}

/** Each occurrence as a text that is equal for both engines; null if the feed could not be read. */
function listOurs(content: Uint8Array, windows: readonly Window[]): string[] | null {
  try {
    return windows.flatMap((window, i) => {
      const { occurrences, timeZone } = readFeed(content, { ...window, defaultTimeZone: 'UTC' })
      const format = (time: Date, isDay: boolean) =>
        isDay
          ? new Intl.DateTimeFormat('sv-SE', { timeZone: timeZone ?? 'UTC' }).format(time)
          : `${time.toISOString().slice(0, 19)}Z`
      const rows = occurrences.map(({ uid, startsAt, endsAt, isAllDay }): OccurrenceRow => [
        uid,
        format(startsAt, isAllDay),
        format(endsAt, isAllDay),
      ])
      return listTexts(rows, window, i)
    })
  } catch (error) {
    if (error instanceof FeedError) return null
    throw error
  }
}

function startEngine() {
  const child = spawn(PYTHON, [ENGINE], { stdio: ['pipe', 'pipe', 'ignore'] })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return {
    async list(file: string, windows: readonly Window[]): Promise<string[] | null> {
      const ranges = windows.map(({ from, to }) => [from, to])
      child.stdin.write(`${JSON.stringify({ file, windows: ranges })}\n`)
      const { value } = await lines.next()
      const answer = JSON.parse(String(value)) as EngineAnswer | { error: string }
      if ('error' in answer) return null
      return windows.flatMap((window, i) => listTexts(answer.windows[i] ?? [], window, i))
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      await new Promise((resolve) => child.once('close', resolve))
    },
  }
}

/** Leaves out the first and last day, because there the result depends on the time zone of all-day events. */
function listTexts(rows: readonly OccurrenceRow[], { from, to }: Window, window: number): string[] {
  const [first, last] = [from.getTime() + DAY_MS, to.getTime() - DAY_MS]
  return rows
    .filter(([, start]) => Date.parse(start) >= first && Date.parse(start) < last)
    .map(([uid, start, end]) =>
      // An event without a UID gets one from us.
      [window, uid.startsWith('no-uid/') ? '' : uid.trim(), start, end].join(' '),
    )
}
