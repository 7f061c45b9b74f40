import { readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'

/** Start first, so that the run does not wait for them alone at the end. */
const SLOWEST = [
  'test/http/fuzz.test.ts',
  'test/service/kills.test.ts',
  'test/platforms/google',
  'test/platforms/micro',
]

/** The files of these folders share processes. Starting one and loading the service costs more than most files. */
const SHARED_FOLDERS = new Set([
  'test/accounts',
  'test/backup',
  'test/bot-accounts',
  'test/client',
  'test/console',
  'test/deliveries',
  'test/http',
  'test/mcp',
  'test/meetings',
  'test/projects',
  'test/receiver',
  'test/stage',
  'test/tasks',
])
/** Files of those folders that change or observe what belongs to the whole process, or are slow. */
const OWN_PROCESS = new Set([
  'test/client/runtimes.test.ts',
  'test/deliveries/kills.test.ts',
  'test/deliveries/simulation.test.ts',
  'test/deliveries/transport-tls.test.ts',
  'test/http/fuzz.test.ts',
  'test/meetings/two-nodes.test.ts',
  'test/tasks/kills.test.ts',
])
/** Few enough that the processes of a run end at about the same time. */
const FILES_PER_PROCESS = 7

/** Test files beside the source share one process, except those that match. */
const OWN_PROCESS_PATTERN =
  /\bprocess\.|'node:(?:child_process|https?|net|worker_threads)'|^(?:before|after)(?:Each)?\(|support\/(?:browser|database|service)/m

/** The group of the test files beside the source. */
const UNITS = 'units'

/** Divides the files between processes, in the order in which these start. */
export function groupFiles(root: string, files: readonly string[]): string[][] {
  const groups = Map.groupBy(files.toSorted(), (file) => groupOf(root, file.replaceAll(sep, '/')))
  return [...groups]
    .toSorted(([a], [b]) => rankOf(a) - rankOf(b))
    .flatMap(([name, members]) => (name === UNITS ? [members] : divide(members)))
}

function groupOf(root: string, file: string): string {
  if (!file.startsWith('test/')) {
    return OWN_PROCESS_PATTERN.test(readFileSync(join(root, file), 'utf8')) ? file : UNITS
  }
  const folder = dirname(file)
  return SHARED_FOLDERS.has(folder) && !OWN_PROCESS.has(file) ? folder : file
}

function rankOf(group: string): number {
  if (SLOWEST.some((path) => group.startsWith(path))) return 0
  return group === UNITS || SHARED_FOLDERS.has(group) ? 1 : 2
}

function divide(files: readonly string[]): string[][] {
  const count = Math.ceil(files.length / FILES_PER_PROCESS)
  return Array.from({ length: count }, (_, part) =>
    files.filter((_file, index) => index % count === part),
  )
}
