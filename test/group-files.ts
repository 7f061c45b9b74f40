import { readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'

/**
 * Start first, the longest before the shorter ones, so that the run does not wait for them alone at the end. Those that
 * need a processor all the time and those that mostly wait take turns.
 */
const SLOWEST = [
  'test/http/fuzz.test.ts',
  'test/platforms/google-meet-call.test.ts',
  'test/platforms/microsoft-teams-call.test.ts',
  'test/service/kills.test.ts',
  'test/deliveries/kills.test.ts',
  'test/platforms/google-meet-joining.test.ts',
  'test/platforms/microsoft-teams-joining.test.ts',
  'test/cli/listen-failures.test.ts',
  'test/platforms/long-meeting.test.ts',
  'test/service/failures.test.ts',
  'test/meetings/two-nodes.test.ts',
  'test/platforms/whole-service.test.ts',
  'test/tasks/kills.test.ts',
]

/** Few enough that the processes of a run end at about the same time. */
const FILES_PER_PROCESS = 12
/** For folders whose files take longer. */
const HALF_AS_MANY_FILES = 6
/** For folders whose files take longest. */
const FEW_FILES_PER_PROCESS = 4

/**
 * The files of these folders share processes, at most this many files each. Starting a process and loading the service
 * costs more than most files.
 */
const SHARED_FOLDERS: Readonly<Record<string, number>> = {
  'test/access': FEW_FILES_PER_PROCESS,
  'test/accounts': FILES_PER_PROCESS,
  'test/ask': FILES_PER_PROCESS,
  'test/backup': FILES_PER_PROCESS,
  'test/bot-accounts': FILES_PER_PROCESS,
  'test/browser': FEW_FILES_PER_PROCESS,
  'test/calendars': FILES_PER_PROCESS,
  'test/cli': FEW_FILES_PER_PROCESS,
  'test/client': FILES_PER_PROCESS,
  'test/console': FEW_FILES_PER_PROCESS,
  'test/console/journeys': HALF_AS_MANY_FILES,
  'test/deliveries': FILES_PER_PROCESS,
  'test/faults': FILES_PER_PROCESS,
  'test/http': FILES_PER_PROCESS,
  'test/mcp': FILES_PER_PROCESS,
  'test/meetings': FILES_PER_PROCESS,
  'test/projects': HALF_AS_MANY_FILES,
  'test/recap': FILES_PER_PROCESS,
  'test/receiver': FILES_PER_PROCESS,
  'test/service': FEW_FILES_PER_PROCESS,
  'test/stage': HALF_AS_MANY_FILES,
  'test/tasks': FILES_PER_PROCESS,
}
/** Files of those folders that change or observe what belongs to the whole process. The slowest have their own too. */
const OWN_PROCESS = new Set([
  ...SLOWEST,
  'test/client/runtimes.test.ts',
  'test/deliveries/simulation.test.ts',
  'test/deliveries/transport-tls.test.ts',
  'test/service/dispose-anytime.test.ts',
])

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
    .flatMap(([name, members]) => divide(members, SHARED_FOLDERS[name] ?? members.length))
}

function groupOf(root: string, file: string): string {
  if (!file.startsWith('test/')) {
    return OWN_PROCESS_PATTERN.test(readFileSync(join(root, file), 'utf8')) ? file : UNITS
  }
  const folder = dirname(file)
  return folder in SHARED_FOLDERS && !OWN_PROCESS.has(file) ? folder : file
}

/** After the slowest files come the folders with few files per process, then the other folders, then single files. */
function rankOf(group: string): number {
  const slowness = SLOWEST.indexOf(group)
  if (slowness !== -1) return slowness
  const withoutFolder = group === UNITS ? FILES_PER_PROCESS : FILES_PER_PROCESS + 1
  return SLOWEST.length + (SHARED_FOLDERS[group] ?? withoutFolder)
}

function divide(files: readonly string[], filesPerProcess: number): string[][] {
  const count = Math.ceil(files.length / filesPerProcess)
  return Array.from({ length: count }, (_, part) =>
    files.filter((_file, index) => index % count === part),
  )
}
