import { fork } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { INSTALLATION_FOLDER } from '../src/config/load-config.ts'
import type { PlatformEvent } from '../src/bots/platforms/platform.ts'
import { openBrowser } from '../test/support/browser/open-browser.ts'
import { openPageAndSettle, openConsoleAs } from '../test/support/browser/console-pages.ts'
import { eventually } from '../test/support/time/eventually.ts'
import { HttpClient } from '../test/support/http/http-client.ts'
import {
  createScriptedPlatform,
  type ScriptedRoom,
} from '../test/support/meetings/scripted-platform.ts'
import { openInstance, type Instance } from './support/instance.ts'

const LINES = 10_000
/** About two hours of talk have this many lines. */
const OPENED_LINES = 2_400
const OPENINGS = 5
const UPDATES_PER_SECOND = 20
const STREAMS = 200
const SECONDS = 10

export const consolePages = {
  about:
    'the console: bytes, first live line, opening a live meeting of 2,400 lines, frames with 10,000, 200 streams',
  async run() {
    const stage = createScriptedPlatform('practice')
    // Builds the console if it is outdated.
    await using instance = await openInstance({}, { platforms: [stage] })
    measureBytes()
    const person = await signUp(instance)
    await measurePage(person, stage.room('long'))
    await measureStreams(instance, person, stage.room('many'))
  },
}

function measureBytes(): void {
  const folder = join(INSTALLATION_FOLDER, 'dist/console')
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const sizeOf = (names: string[]) =>
    names.reduce((sum, name) => sum + statSync(join(folder, `${name}.gz`)).size, 0) / 1000
  const named = (ending: string) =>
    [...page.matchAll(/"(\/assets\/[^"]+)"/g)]
      .map(([, path]) => path ?? '')
      .filter((path) => path.endsWith(ending))
  const all = globSync('assets/*.js', { cwd: folder })
  console.log(`  first load       ${sizeOf(named('.js')).toFixed(1)} KB of JavaScript (goal: 230),`)
  console.log(`                   ${sizeOf(named('.css')).toFixed(1)} KB of styles, gzipped`)
  console.log(`  all pages        ${sizeOf(all).toFixed(1)} KB of JavaScript`)
}

async function signUp({ port, setupLink }: Instance): Promise<HttpClient> {
  const person = new HttpClient(`http://127.0.0.1:${port}`)
  const code = setupLink?.split('#')[1]
  const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
  await person.post('/web/setup', { ...ada, code })
  return person
}

async function startMeeting(person: HttpClient, name: string): Promise<string> {
  const { body } = await person.post('/web/meetings/start', { url: `stage://${name}` })
  return String(body['meetingId'])
}

const WORDS =
  'plan week draft send review know left rest budget date owner risk call site test'.split(' ')

/** Every line is different, because a repeated line would be merged with the earlier one. */
function finalCaption(i: number, isFinal: boolean): PlatformEvent {
  const speaker = `Speaker ${Math.floor(i / 7) % 5}`
  const words = Array.from({ length: 12 }, (_, k) => {
    const mixed = Math.imul(i * 31 + k, 2_654_435_761) >>> 16
    return WORDS[mixed % WORDS.length]
  })
  const text = `Number ${i}: ${words.join(' ')}.`
  return { kind: 'caption', captionId: `c${i}`, speaker, text, version: 1, isFinal }
}

async function countLines(person: HttpClient, meetingId: string): Promise<number> {
  const { body } = await person.get(`/web/meetings/${meetingId}`)
  return (body['meeting'] as { segmentCount: number }).segmentCount
}

async function measurePage(person: HttpClient, room: ScriptedRoom): Promise<void> {
  const browser = await openBrowser()
  try {
    await using seen = await openConsoleAs(browser, person)
    const { page } = seen
    const meetingId = await startMeeting(person, 'long')
    room.emit({ kind: 'admitted' })
    await openPageAndSettle(page, `${person.url}/meetings/${meetingId}`)
    const began = performance.now()
    room.emit(finalCaption(1, true))
    await page.locator('#line-1').waitFor()
    console.log(`  first live line  ${(performance.now() - began).toFixed(0)} ms after it was said`)

    await fillMeeting(person, { meetingId, room, page }, 2, OPENED_LINES)
    await measureOpening(page, `${person.url}/meetings/${meetingId}`)
    await fillMeeting(person, { meetingId, room, page }, OPENED_LINES + 1, LINES)
    const opened = performance.now()
    await page.goto(`${person.url}/meetings/${meetingId}`)
    await page.locator(`#line-${LINES}`).waitFor()
    const shownMs = performance.now() - opened
    console.log(`  ${LINES} lines     all in the page ${shownMs.toFixed(0)} ms after it was opened`)
    const frames = measureFrames(page)
    // Five concurrent captions, because each is shown at most four times per second.
    for (let tick = 0; tick < (SECONDS * UPDATES_PER_SECOND) / 5; tick += 1) {
      for (let k = 1; k <= 5; k += 1) room.emit(partialCaption(k, tick))
      await sleep(5000 / UPDATES_PER_SECOND)
    }
    const { count, longestMs, seconds } = await frames
    console.log(`                   ${(count / seconds).toFixed(0)} frames/s with updates,`)
    console.log(`                   longest frame ${longestMs.toFixed(0)} ms`)
  } finally {
    await browser.close()
  }
}

/** Emits the lines with these numbers and waits until they are stored. */
async function fillMeeting(
  person: HttpClient,
  { meetingId, room, page }: { meetingId: string; room: ScriptedRoom; page: Page },
  first: number,
  last: number,
): Promise<void> {
  // A page that shows every line would compete with the service for CPU.
  await page.goto('about:blank')
  for (let i = first; i <= last; i += 1) room.emit(finalCaption(i, true))
  await eventually(
    async () => ((await countLines(person, meetingId)) >= last ? true : null),
    300_000,
  )
}

/** The time from the start of the navigation until the newest line is painted in the window. */
async function measureOpening(page: Page, url: string): Promise<void> {
  const times: number[] = []
  for (let i = 0; i < OPENINGS; i += 1) {
    await page.goto('about:blank')
    await page.goto(url, { waitUntil: 'commit' })
    const shownMs = await page.evaluate<number>(`new Promise((resolve) => {
      const check = () => {
        const box = document.getElementById('line-${OPENED_LINES}')?.getBoundingClientRect()
        const isVisible = box !== undefined && box.top >= 0 && box.bottom <= innerHeight
        requestAnimationFrame(isVisible ? () => resolve(performance.now()) : check)
      }
      check()
    })`)
    times.push(shownMs)
  }
  times.sort((a, b) => a - b)
  const median = times[Math.floor(OPENINGS / 2)] ?? 0
  console.log(
    `  ${OPENED_LINES} lines      live meeting opened in ${median.toFixed(0)} ms (goal: 1000),`,
  )
  console.log(`                   slowest of ${OPENINGS} ${(times.at(-1) ?? 0).toFixed(0)} ms`)
}

function partialCaption(k: number, tick: number): PlatformEvent {
  const text = 'and so it goes on '.repeat((tick % 8) + 1).trim()
  const [captionId, speaker] = [`g${k}-${Math.floor(tick / 8)}`, `Speaker ${k}`]
  return { kind: 'caption', captionId, speaker, text, version: (tick % 8) + 1 }
}

function measureFrames(page: Page): Promise<{ count: number; longestMs: number; seconds: number }> {
  return page.evaluate(`new Promise((resolve) => {
    const began = performance.now()
    let [last, count, longestMs] = [began, 0, 0]
    const frame = (now) => {
      count += 1
      longestMs = Math.max(longestMs, now - last)
      last = now
      const seconds = (now - began) / 1000
      if (seconds < ${SECONDS}) requestAnimationFrame(frame)
      else resolve({ count, longestMs, seconds })
    }
    requestAnimationFrame(frame)
  })`)
}

async function openReaders(url: string, cookie: string) {
  const env = {
    PATH: process.env['PATH'],
    STREAM_URL: url,
    COOKIE: cookie,
    STREAMS: String(STREAMS),
  }
  const child = fork(join(INSTALLATION_FOLDER, 'bench/servers/stream-readers.ts'), {
    env,
    stdio: 'inherit',
  })
  await once(child, 'message')
  return {
    async messages(): Promise<number> {
      child.send('count')
      const [{ messages }] = (await once(child, 'message')) as [{ messages: number }]
      return messages
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

/** The readers run in another process, so that this process's CPU time is only the service's. */
async function measureStreams(
  instance: Instance,
  person: HttpClient,
  room: ScriptedRoom,
): Promise<void> {
  const meetingId = await startMeeting(person, 'many')
  room.emit({ kind: 'admitted' })
  const idle = await cpuOver(async () => addParticipants(room, 0))
  const url = `${person.url}/web/events/stream?meeting=${meetingId}`
  await using readers = await openReaders(url, person.cookie ?? '')
  const busy = await cpuOver(async () => addParticipants(room, SECONDS * UPDATES_PER_SECOND))
  const events = await eventually(async () => {
    const { body } = await instance.call('GET', `/api/v1/meetings/${meetingId}/events?limit=1000`)
    const { length } = body['events'] as unknown[]
    return length > 2 * SECONDS * UPDATES_PER_SECOND ? length : null
  }, 60_000)
  console.log(
    `  ${STREAMS} streams      ${busy.toFixed(2)} cores at ${UPDATES_PER_SECOND} events/s,`,
  )
  console.log(`                   ${idle.toFixed(2)} with none open`)
  const read = await readers.messages()
  console.log(`  messages         ${(read / STREAMS).toFixed(0)} a stream, ${events} events stored`)
}

/** Each joining participant is one event. */
async function addParticipants(room: ScriptedRoom, already: number): Promise<void> {
  const people = Array.from({ length: already }, (_, i) => ({ id: `p${i}`, name: `Guest ${i}` }))
  for (let i = already; i < already + SECONDS * UPDATES_PER_SECOND; i += 1) {
    people.push({ id: `p${i}`, name: `Guest ${i}` })
    room.emit({ kind: 'people', people: [...people] })
    await sleep(1000 / UPDATES_PER_SECOND)
  }
}

/** Returns the average number of cores in use. */
async function cpuOver(work: () => Promise<void>): Promise<number> {
  const [cpu, began] = [process.cpuUsage(), performance.now()]
  await work()
  const used = process.cpuUsage(cpu)
  return (used.user + used.system) / 1000 / (performance.now() - began)
}
