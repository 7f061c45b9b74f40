import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CaptionStats } from './support/bench-bots.ts'
import {
  openCameras,
  openSharedBrowserSetup,
  openBrowserPerBotSetup,
  type BotSetup,
  type StageInfo,
} from './support/bot-setups.ts'
import { readMachineTicks, measureProcessTree } from './support/process-usage.ts'
import { measureRecovery } from './measures/recovery.ts'

/** `npm run bench -- bots 1,5` measures fewer bots on a small machine. */
const SIZES = (process.argv[3] ?? '1,5,10,20').split(',').map(Number)
const VIDEOS = 2
const SETTLE_MS = 4_000
const MEASURE_MS = 8_000
/** This many bots join concurrently, because joining one at a time is slow on a busy machine. */
const AT_ONCE = 4
/** Caption changes per second of speech. */
const RATE = 1_000 / 330

type Row = {
  bots: number
  memoryMb: number
  cores: number
  busy: number
  stolen: number
  heard: number
  delays: number[]
}

const BASELINE = { name: 'a browser for each bot, untuned', open: openBrowserPerBotSetup }
const CANDIDATES = (['headless', 'shell'] as const).map((mode) => ({
  name: `shared and quiet, ${mode}`,
  open: (stage: StageInfo) => openSharedBrowserSetup(stage, mode),
}))

export const bots = {
  about:
    'memory and processor of each further bot on the stage with video, against a browser for each',
  async run() {
    const most = Math.max(...SIZES)
    const rooms = String(most * (1 + CANDIDATES.length) + 1)
    const stage = fork(join(import.meta.dirname, 'servers/stage.ts'), [rooms, String(VIDEOS)])
    const [info] = (await once(stage, 'message')) as [StageInfo]
    try {
      await using cameras = await openCameras(info)
      const outside = [...cameras.pids, stage.pid ?? 0]
      const rivals = await measure(BASELINE.name, await BASELINE.open(info), 0, outside)
      for (const [i, { name, open }] of CANDIDATES.entries()) {
        compare(rivals, await measure(name, await open(info), most * (i + 1), outside))
      }
      await measureRecovery(info, most * (1 + CANDIDATES.length))
    } finally {
      stage.disconnect()
    }
  },
}

async function measure(
  name: string,
  given: BotSetup,
  firstRoom: number,
  outside: number[],
): Promise<Row[]> {
  await using house = given
  const heard: CaptionStats[] = []
  const rows: Row[] = []
  console.log(`  ${name}`)
  for (const bots of SIZES) {
    const lacked = await addBots(house, heard, bots, firstRoom)
    if (lacked) {
      console.log(
        `    ${String(bots).padStart(2)} bots  are more than this machine can hold: ${lacked}`,
      )
      break
    }
    await sleep(SETTLE_MS)
    for (const one of heard) Object.assign(one, { count: 0, delaysMs: [] })
    const [before, machine, began] = [
      measureProcessTree(process.pid, outside),
      readMachineTicks(),
      performance.now(),
    ]
    await sleep(MEASURE_MS)
    const [after, later, ms] = [
      measureProcessTree(process.pid, outside),
      readMachineTicks(),
      performance.now() - began,
    ]
    const row: Row = {
      bots,
      memoryMb: after.memoryMb,
      cores: (after.cpuMs - before.cpuMs) / ms,
      busy: 1 - (later.idle - machine.idle) / (later.all - machine.all),
      stolen: (later.stolen - machine.stolen) / (later.all - machine.all),
      heard: heard.reduce((sum, { count }) => sum + count, 0) / bots / (ms / 1_000) / RATE,
      delays: heard.flatMap(({ delaysMs }) => delaysMs).toSorted((a, b) => a - b),
    }
    rows.push(row)
    print(row)
  }
  return rows
}

/** Adds bots up to a number. If some do not finish joining in time, returns the error's text. */
async function addBots(
  house: BotSetup,
  heard: CaptionStats[],
  bots: number,
  firstRoom: number,
): Promise<string | null> {
  try {
    while (heard.length < bots) {
      const first = firstRoom + heard.length
      const more = Math.min(AT_ONCE, bots - heard.length)
      const added = Array.from({ length: more }, (_, i) => house.add(first + i))
      heard.push(...(await Promise.all(added)))
    }
    return null
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error
    return error.message.split('\n')[0] ?? ''
  }
}

function print({ bots, memoryMb, cores, busy, stolen, heard, delays }: Row): void {
  const at = (share: number) => (delays[Math.floor(delays.length * share)] ?? Number.NaN).toFixed(0)
  console.log(
    `    ${String(bots).padStart(2)} bots  ${memoryMb.toFixed(0).padStart(5)} MB  ${percent(cores).padStart(6)} of a core` +
      `  captions ${percent(heard)}, p50 ${at(0.5)} p99 ${at(0.99)} ms  machine ${percent(busy)} busy, ${percent(stolen)} taken by its host`,
  )
}

/** The cost of each additional bot, compared with the goals. */
function compare(rivals: readonly Row[], ours: readonly Row[]): void {
  for (const [i, row] of ours.entries()) {
    // If the machine cannot run this many, uses the cost per bot of a smaller number.
    const rival = rivals[i] ?? rivals.at(-1)
    if (rival === undefined) continue
    const [first, rivalFirst] = [ours[0], rivals[0]]
    const [memory, cores] =
      row === first
        ? [share(row, rival, memoryOf), share(row, rival, coresPerCaption)]
        : [
            perExtraBot(row, first, memoryOf) / perExtraBot(rival, rivalFirst, memoryOf),
            perExtraBot(row, first, coresPerCaption) /
              perExtraBot(rival, rivalFirst, coresPerCaption),
          ]
    // On a busy machine the baseline bots get less CPU than they need, so they look cheaper than they are.
    const full =
      rival.busy > 0.95 ? ' (the machine was full without us: the true share is smaller)' : ''
    const note = rival.bots === row.bots ? full : ` (of each of ${rival.bots} others)${full}`
    console.log(
      `    ${String(row.bots).padStart(2)} bots: memory ${percent(memory)} (goal: at most 40 %), processor for what is heard ${percent(cores)} (goal: at most 33 %)${note}`,
    )
  }
}

type Figure = (row: Row) => number
const memoryOf: Figure = ({ memoryMb }) => memoryMb
/** Scales the cost, because a bot that reads half of the captions does half of the work. */
const coresPerCaption: Figure = ({ cores, heard }) => cores / Math.min(1, heard)
const share = (row: Row, rival: Row, figure: Figure) => figure(row) / figure(rival)

function perExtraBot(row: Row, first: Row | undefined, figure: Figure): number {
  if (first === undefined) return figure(row) / row.bots
  return (figure(row) - figure(first)) / (row.bots - first.bots)
}

function percent(part: number): string {
  return `${(part * 100).toFixed(0)} %`
}
