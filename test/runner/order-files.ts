import { sep } from 'node:path'
import durations from './durations.json' with { type: 'json' }

/** Files that change or observe the state of a whole process. */
const OWN_PROCESS = new Set([
  'test/client/runtimes.test.ts',
  'test/deliveries/simulation.test.ts',
  'test/deliveries/transport-tls.test.ts',
])
/** The duration of a file that is not in the list. The list has only files that take at least a second. */
const SHORT_FILE_SECONDS = 0.3

const SECONDS: Readonly<Record<string, number>> = durations

/** Divides the files into those that share processes and those that do not. The longest come first. */
export function orderFiles(files: readonly string[]): { shared: string[]; alone: string[] } {
  const paths = files
    .map((file) => file.replaceAll(sep, '/'))
    .toSorted((a, b) => secondsOf(b) - secondsOf(a) || a.localeCompare(b))
  const { shared = [], alone = [] } = Object.groupBy(paths, (file) =>
    OWN_PROCESS.has(file) ? 'alone' : 'shared',
  )
  return { shared, alone }
}

function secondsOf(file: string): number {
  return SECONDS[file] ?? SHORT_FILE_SECONDS
}
