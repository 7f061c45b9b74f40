import { readdirSync, readFileSync } from 'node:fs'
import { errorCode } from '../../src/lib/error-code.ts'

/** A clock tick in /proc is 10 ms. */
const TICK_MS = 10

export type ResourceUsage = { memoryMb: number; cpuMs: number }

/**
 * The current usage of a process and its descendants. Memory is each process's proportional share, so that shared
 * memory is counted once. A parent's CPU time includes its ended children.
 */
export function measureProcessTree(root: number, except: readonly number[] = []): ResourceUsage {
  return sumUsage(listDescendants(root, new Set(except)))
}

/** The usage of a process's descendants whose command line contains a text. */
export function measureDescendants(root: number, commandPart: string): ResourceUsage {
  const all = listDescendants(root, new Set())
  return sumUsage(all.filter((pid) => read(`/proc/${pid}/cmdline`).includes(commandPart)))
}

function sumUsage(pids: readonly number[]): ResourceUsage {
  let [memoryKb, ticks] = [0, 0]
  for (const pid of pids) {
    const fields = statOf(pid)
    ticks += fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    memoryKb += Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0)
  }
  return { memoryMb: memoryKb / 1024, cpuMs: ticks * TICK_MS }
}

/** The machine's idle, stolen and total CPU time since boot, in ticks. Other machines of the host used stolen time. */
export function readMachineTicks(): { idle: number; stolen: number; all: number } {
  const [first = ''] = read('/proc/stat').split('\n')
  const ticks = first.split(/\s+/).slice(1, 9).map(Number)
  return {
    idle: (ticks[3] ?? 0) + (ticks[4] ?? 0),
    stolen: ticks[7] ?? 0,
    all: ticks.reduce((sum, tick) => sum + tick, 0),
  }
}

/** Every descendant of the root, without the excluded processes and their descendants. */
function listDescendants(root: number, except: ReadonlySet<number>): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const parent = Number(statOf(Number(name))[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const found: number[] = []
  const visit = (pid: number) => {
    for (const child of children.get(pid) ?? []) {
      if (except.has(child)) continue
      found.push(child)
      visit(child)
    }
  }
  visit(root)
  return found
}

/** The fields after the process name, which may itself contain spaces. */
function statOf(pid: number): string[] {
  return read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
}

/** Empty for a process that has meanwhile ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES'].includes(errorCode(error))) return ''
    throw error
  }
}
