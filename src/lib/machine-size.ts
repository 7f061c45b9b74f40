import { readFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import { errorCode } from './error-code.ts'

/** `cores` can be a fraction, because a container may have half a core. */
export type MachineSize = { memoryMb: number; cores: number }

/** Infinity means no limit. */
export type CgroupLimits = { memoryBytes: number; cores: number }

const NO_LIMITS: CgroupLimits = { memoryBytes: Infinity, cores: Infinity }

/** A mounted control group hierarchy. `root` is the group that is visible at `mountPoint`. */
type CgroupMount = { version: 1 | 2; controllers: string[]; root: string; mountPoint: string }

/** Reads the limits of one group. Version 1 has one hierarchy per controller, so most files are missing in each. */
const READ_GROUP_LIMITS: Record<CgroupMount['version'], (folder: string) => CgroupLimits> = {
  1: (folder) => ({
    memoryBytes: toLimit(readValue(folder, 'memory.limit_in_bytes')),
    cores: toCores(
      readValue(folder, 'cpu.cfs_quota_us'),
      readValue(folder, 'cpu.cfs_period_us') ?? '',
    ),
  }),
  2: (folder) => ({
    // Above `memory.high`, the kernel slows every process of the group until it stops.
    memoryBytes: Math.min(
      toLimit(readValue(folder, 'memory.max')),
      toLimit(readValue(folder, 'memory.high')),
    ),
    cores: toCores(...splitCpuMax(readValue(folder, 'cpu.max'))),
  }),
}

type Membership = { controllers: string[]; group: string }

/** Not every file exists everywhere: other systems have no /proc, and a machine's top group has no limits. */
const EXPECTED_READ_ERRORS = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EOPNOTSUPP'])

/** Memory and cores that this process may use: the machine's, or less in a container or a systemd slice. */
export function readMachineSize(fileSystemRoot?: string): MachineSize {
  const limits = readCgroupLimits(fileSystemRoot)
  return {
    memoryMb: Math.floor(Math.min(totalmem(), limits.memoryBytes) / 1024 ** 2),
    cores: Math.min(availableParallelism(), limits.cores),
  }
}

/**
 * The limits of this process's control groups. Parent groups limit a group too, so the smallest limit on the path
 * applies. `fileSystemRoot` is the folder with /proc and /sys.
 */
export function readCgroupLimits(fileSystemRoot = '/'): CgroupLimits {
  const memberships = readLines(join(fileSystemRoot, 'proc/self/cgroup')).map(parseMembership)
  const mounts = readLines(join(fileSystemRoot, 'proc/self/mountinfo')).flatMap(parseMount)
  return mounts
    .flatMap((mount) => {
      const group = memberships.find((one) => isMembershipOf(one, mount))?.group
      const folders = group === undefined ? [] : listFoldersOnPath(mount, group)
      return folders.map((folder) => READ_GROUP_LIMITS[mount.version](join(fileSystemRoot, folder)))
    })
    .reduce(
      (smallest, limits) => ({
        memoryBytes: Math.min(smallest.memoryBytes, limits.memoryBytes),
        cores: Math.min(smallest.cores, limits.cores),
      }),
      NO_LIMITS,
    )
}

/** A line of /proc/self/cgroup: `4:cpu,cpuacct:/docker/1f…`, or `0::/…` for version 2. */
function parseMembership(line: string): Membership {
  const [, controllers = '', ...group] = line.split(':')
  return { controllers: controllers.split(',').filter(Boolean), group: group.join(':') }
}

/** A line of /proc/self/mountinfo that mounts a hierarchy: `32 31 0:29 ROOT POINT rw … - cgroup cgroup rw,cpu`. */
function parseMount(line: string): CgroupMount[] {
  const [place = '', source = ''] = line.split(' - ')
  const [, , , root = '', mountPoint = ''] = place.split(' ').map(decodeOctalEscapes)
  const [type, , options = ''] = source.split(' ')
  if (type === 'cgroup2') return [{ version: 2, controllers: [], root, mountPoint }]
  return type === 'cgroup'
    ? [{ version: 1, controllers: options.split(','), root, mountPoint }]
    : []
}

/** Spaces in mount paths are written as `\040`. */
function decodeOctalEscapes(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 8)),
  )
}

function isMembershipOf({ controllers }: Membership, mount: CgroupMount): boolean {
  return mount.version === 2
    ? controllers.length === 0
    : controllers.some((name) => mount.controllers.includes(name))
}

/** The folders of the group and of every visible group above it. */
function listFoldersOnPath({ root, mountPoint }: CgroupMount, group: string): string[] {
  // A container can see its own group as the top of the hierarchy, while /proc has the path on the host.
  const below = group === root || group.startsWith(`${root}/`) ? group.slice(root.length) : group
  const names = below.split('/').filter((name) => name !== '' && name !== '..')
  return [mountPoint, ...names.map((_, index) => join(mountPoint, ...names.slice(0, index + 1)))]
}

/** `max` and negative numbers mean no limit. So does version 1's enormous number, which exceeds every machine. */
function toLimit(text: string | null): number {
  const value = Number(text ?? 'max')
  return value >= 0 ? value : Infinity
}

function toCores(quota: string | null, period: string): number {
  const cores = toLimit(quota) / Number(period)
  return cores > 0 ? cores : Infinity
}

function splitCpuMax(text: string | null): [quota: string | null, period: string] {
  const [quota = null, period = ''] = text?.split(' ') ?? []
  return [quota, period]
}

function readValue(folder: string, name: string): string | null {
  return readIfPossible(join(folder, name))?.trim() ?? null
}

function readLines(path: string): string[] {
  return readIfPossible(path)?.trim().split('\n') ?? []
}

function readIfPossible(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (EXPECTED_READ_ERRORS.has(errorCode(error))) return null
    throw error
  }
}
