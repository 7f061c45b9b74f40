import { readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import durations from './durations.json' with { type: 'json' }

/** Files that change or observe what belongs to a whole process. */
const OWN_PROCESS = new Set([
  'test/client/runtimes.test.ts',
  'test/deliveries/simulation.test.ts',
  'test/deliveries/transport-tls.test.ts',
])
/** The same for files beside the source. */
const OWN_PROCESS_PATTERN =
  /\bprocess\.|'node:(?:child_process|https?|net|worker_threads)'|^(?:before|after)(?:Each)?\(|support\/(?:browser|database|service)/m

/** A process takes files until they last this long together. Loading the service takes longer than most files. */
const SECONDS_PER_PROCESS = 100
/** Of a file that is not in the list, which has only files of at least a second. */
const SHORT_FILE_SECONDS = 0.3

const SECONDS: Readonly<Record<string, number>> = durations

/** Divides the files between processes. The longest start first, so that the run does not wait for one of them alone. */
export function groupFiles(root: string, files: readonly string[]): string[][] {
  const paths = files.map((file) => file.replaceAll(sep, '/')).toSorted()
  const { own = [], shared = [] } = Object.groupBy(paths, (file) =>
    needsOwnProcess(root, file) ? 'own' : 'shared',
  )
  const groups = own.map((file) => [file])
  let group: string[] = []
  for (const file of shared) {
    if (group.length === 0 || secondsOf([...group, file]) > SECONDS_PER_PROCESS) {
      group = []
      groups.push(group)
    }
    group.push(file)
  }
  return groups.toSorted((a, b) => secondsOf(b) - secondsOf(a))
}

function needsOwnProcess(root: string, file: string): boolean {
  if (file.startsWith('test/')) return OWN_PROCESS.has(file)
  return OWN_PROCESS_PATTERN.test(readFileSync(join(root, file), 'utf8'))
}

function secondsOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + (SECONDS[file] ?? SHORT_FILE_SECONDS), 0)
}
