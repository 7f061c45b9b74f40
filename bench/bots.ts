import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Browser } from 'playwright-core'
import { findBrowser, runnable, type BrowserMode } from '../src/browser/find.ts'
import { openBrowserPool } from '../src/browser/pool.ts'
import { quiet } from '../src/browser/quiet.ts'
import { MACHINE, ROOT } from '../src/load-config.ts'
import { createLog } from '../src/log.ts'
import { ALL_HOSTS } from '../stage/server/hosts.ts'
import { joinRoom, type Heard } from './support/bot.ts'
import { machineTicks, useOf } from './support/processes.ts'
import { roomAddress } from './support/rooms.ts'

const SIZES = [1, 5, 10, 20]
const VIDEOS = 2
const SETTLE_MS = 4_000
const MEASURE_MS = 8_000
/** Changes of captions in a second while somebody talks. */
const RATE = 1_000 / 330
const CACHE = join(ROOT, 'node_modules/.cache')
const WISHES = { locale: 'en-US', origins: ['https://meet.google.com'] }
const NEVER = new AbortController().signal

type Stage = { port: number; browserArguments: string[] }
type Row = {
  bots: number
  memoryMb: number
  cores: number
  busy: number
  heard: number
  delays: number[]
}
/** One way to run bots: adds the next one and answers what it hears. */
type House = AsyncDisposable & { add(room: number): Promise<Heard> }

export const bots = {
  about:
    'memory and processor of each further bot on the stage with video, against a browser for each',
  async run() {
    const stage = fork(join(import.meta.dirname, 'servers/stage.ts'), [`${3 * 20}`, `${VIDEOS}`])
    const [info] = (await once(stage, 'message')) as [Stage]
    const pool = await openPool(info, 'shell')
    const camera = await pool.take(WISHES, NEVER)
    await camera.page.goto('https://meet.google.com/stage/pages/elsewhere/cameras.html')
    const outside = [...(await pidsOf(camera.context.browser())), stage.pid ?? 0]
    try {
      const rivals = await measure(
        'a browser for each bot, untuned',
        await rivalHouse(info),
        0,
        outside,
      )
      for (const [i, mode] of (['headless', 'shell'] as const).entries()) {
        const ours = await measure(
          `shared and quiet, ${mode}`,
          await ourHouse(info, mode),
          20 * (i + 1),
          outside,
        )
        compare(rivals, ours)
      }
    } finally {
      await pool[Symbol.asyncDispose]()
      stage.disconnect()
    }
  },
}

/** What others do: Chromium as it comes, one for each meeting. */
async function rivalHouse({ browserArguments }: Stage): Promise<House> {
  const stack = new AsyncDisposableStack()
  const found = await findBrowser({ browserPath: undefined, browserCdp: undefined }, MACHINE)
  if (found === null || found.kind === 'remote') throw new Error('the bench needs Chromium')
  const { path, env } = await runnable(found, CACHE)
  return {
    async add(room) {
      const args = ['--no-sandbox', '--use-fake-device-for-media-stream', ...browserArguments]
      const browser = await chromium.launch({
        executablePath: path,
        env: { ...MACHINE.env, ...env },
        args: [...args, '--use-fake-ui-for-media-stream'],
      })
      stack.defer(() => browser.close())
      const context = await browser.newContext({ permissions: ['camera', 'microphone'] })
      const page = await context.newPage()
      return joinRoom(page, await context.newCDPSession(page), roomAddress(room))
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

async function ourHouse(stage: Stage, mode: BrowserMode): Promise<House> {
  const pool = await openPool(stage, mode)
  return {
    async add(room) {
      const seat = await pool.take(WISHES, NEVER)
      await quiet(seat, { hides: ['.picture', '.tile'] })
      return joinRoom(seat.page, seat.session, roomAddress(room))
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

function openPool({ port, browserArguments }: Stage, browserMode: BrowserMode) {
  return openBrowserPool({
    settings: {
      browserPath: undefined,
      browserCdp: undefined,
      browserMode,
      browserArgs: [],
      botsPerBrowser: 8,
    },
    machine: MACHINE,
    cache: CACHE,
    log: createLog('error'),
    opening: { names: ALL_HOSTS, address: '127.0.0.1', port },
    stageArguments: browserArguments,
  })
}

async function measure(
  name: string,
  given: House,
  firstRoom: number,
  outside: number[],
): Promise<Row[]> {
  await using house = given
  const heard: Heard[] = []
  const rows: Row[] = []
  console.log(`  ${name}`)
  for (const bots of SIZES) {
    while (heard.length < bots) heard.push(await house.add(firstRoom + heard.length))
    await sleep(SETTLE_MS)
    for (const one of heard) Object.assign(one, { count: 0, delaysMs: [] })
    const [before, machine, began] = [
      useOf(process.pid, outside),
      machineTicks(),
      performance.now(),
    ]
    await sleep(MEASURE_MS)
    const [after, later, ms] = [
      useOf(process.pid, outside),
      machineTicks(),
      performance.now() - began,
    ]
    const row: Row = {
      bots,
      memoryMb: after.memoryMb,
      cores: (after.cpuMs - before.cpuMs) / ms,
      busy: 1 - (later.idle - machine.idle) / (later.all - machine.all),
      heard: heard.reduce((sum, { count }) => sum + count, 0) / bots / (ms / 1_000) / RATE,
      delays: heard.flatMap(({ delaysMs }) => delaysMs).toSorted((a, b) => a - b),
    }
    rows.push(row)
    print(row)
  }
  return rows
}

function print({ bots, memoryMb, cores, busy, heard, delays }: Row): void {
  const at = (share: number) => (delays[Math.floor(delays.length * share)] ?? Number.NaN).toFixed(0)
  console.log(
    `    ${String(bots).padStart(2)} bots  ${memoryMb.toFixed(0).padStart(5)} MB  ${percent(cores).padStart(6)} of a core` +
      `  captions ${percent(heard)}, p50 ${at(0.5)} p99 ${at(0.99)} ms  machine ${percent(busy)} busy`,
  )
}

/** Of each further bot, from one to all; the goals are those of the issue. */
function compare(rivals: readonly Row[], ours: readonly Row[]): void {
  for (const [i, row] of ours.entries()) {
    const rival = rivals[i]
    if (rival === undefined) continue
    const [first, rivalFirst] = [ours[0], rivals[0]]
    const [memory, cores] =
      row.bots === 1
        ? [share(row, rival, 'memoryMb'), share(row, rival, 'cores')]
        : [
            further(row, first, 'memoryMb') / further(rival, rivalFirst, 'memoryMb'),
            further(row, first, 'cores') / further(rival, rivalFirst, 'cores'),
          ]
    // A full machine gives the others less than they want, which makes them look cheaper than they are.
    const note =
      rival.busy > 0.95 ? ' (the machine was full without us: the true share is smaller)' : ''
    console.log(
      `    ${String(row.bots).padStart(2)} bots: memory ${percent(memory)} (goal: at most 40 %), processor ${percent(cores)} (goal: at most 33 %)${note}`,
    )
  }
}

type Figure = 'memoryMb' | 'cores'
const share = (row: Row, rival: Row, figure: Figure) => row[figure] / rival[figure]

function further(row: Row, first: Row | undefined, figure: Figure): number {
  return (row[figure] - (first?.[figure] ?? 0)) / (row.bots - 1)
}

function percent(part: number): string {
  return `${(part * 100).toFixed(0)} %`
}

async function pidsOf(browser: Browser | null): Promise<number[]> {
  const session = await browser?.newBrowserCDPSession()
  const { processInfo } = (await session?.send('SystemInfo.getProcessInfo')) ?? { processInfo: [] }
  return processInfo.filter(({ type }) => type === 'browser').map(({ id }) => id)
}
