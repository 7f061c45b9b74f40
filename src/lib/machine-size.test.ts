import { strict as assert } from 'node:assert'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { readMachineSize, readCgroupLimits, type CgroupLimits } from './machine-size.ts'

const GB = 1024 ** 3
const V2 = '30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup rw,nsdelegate'
const V1_MEMORY = '35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory'
const V1_CPU = '32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct'

type Case = { groups: string[]; mounts: string[]; files: Record<string, string> }

/** Passes a folder that looks like the /proc and /sys of a machine. */
function withFileSystem<T>({ groups, mounts, files }: Case, read: (fileSystem: string) => T): T {
  const fileSystem = mkdtempSync(join(tmpdir(), 'hansard-cgroup-'))
  try {
    const all = {
      'proc/self/cgroup': groups.join('\n'),
      'proc/self/mountinfo': ['23 1 8:1 / / rw - ext4 /dev/sda1 rw', ...mounts].join('\n'),
      ...files,
    }
    for (const [path, text] of Object.entries(all)) {
      mkdirSync(dirname(join(fileSystem, path)), { recursive: true })
      writeFileSync(join(fileSystem, path), `${text}\n`)
    }
    return read(fileSystem)
  } finally {
    rmSync(fileSystem, { recursive: true })
  }
}

const CASES: Record<string, [Case, CgroupLimits]> = {
  'version 2: the container sees its own group as the top': [
    {
      groups: ['0::/'],
      mounts: [V2],
      files: {
        'sys/fs/cgroup/memory.max': String(2 * GB),
        'sys/fs/cgroup/memory.high': 'max',
        'sys/fs/cgroup/cpu.max': '150000 100000',
      },
    },
    { memoryBytes: 2 * GB, cores: 1.5 },
  ],
  'version 2: a group above has the smaller memory, the group itself fewer cores': [
    {
      groups: ['0::/system.slice/hansard.service'],
      mounts: [V2],
      files: {
        'sys/fs/cgroup/system.slice/memory.max': String(3 * GB),
        'sys/fs/cgroup/system.slice/cpu.max': 'max 100000',
        'sys/fs/cgroup/system.slice/hansard.service/memory.max': String(4 * GB),
        'sys/fs/cgroup/system.slice/hansard.service/cpu.max': '50000 100000',
      },
    },
    { memoryBytes: 3 * GB, cores: 0.5 },
  ],
  'version 2: memory.high slows the group down below memory.max': [
    {
      groups: ['0::/'],
      mounts: [V2],
      files: {
        'sys/fs/cgroup/memory.max': String(2 * GB),
        'sys/fs/cgroup/memory.high': String(GB),
        'sys/fs/cgroup/cpu.max': 'max 100000',
      },
    },
    { memoryBytes: GB, cores: Infinity },
  ],
  'version 1: every controller has its own path and its own nested groups': [
    {
      groups: ['4:memory:/pod/container', '3:cpu,cpuacct:/pod', '0::/'],
      mounts: [V1_MEMORY, V1_CPU],
      files: {
        'sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712',
        'sys/fs/cgroup/memory/pod/memory.limit_in_bytes': String(GB),
        'sys/fs/cgroup/memory/pod/container/memory.limit_in_bytes': String(2 * GB),
        'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '-1',
        'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us': '100000',
        'sys/fs/cgroup/cpu,cpuacct/pod/cpu.cfs_quota_us': '300000',
        'sys/fs/cgroup/cpu,cpuacct/pod/cpu.cfs_period_us': '100000',
      },
    },
    { memoryBytes: GB, cores: 3 },
  ],
  'version 1: the container sees its group as the top, but reads the path of the host': [
    {
      groups: ['4:memory:/docker/1f2e/inner'],
      mounts: ['35 31 0:32 /docker/1f2e /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory'],
      files: {
        'sys/fs/cgroup/memory/memory.limit_in_bytes': String(2 * GB),
        'sys/fs/cgroup/memory/inner/memory.limit_in_bytes': String(GB),
      },
    },
    { memoryBytes: GB, cores: Infinity },
  ],
  'a machine without limits': [
    { groups: ['0::/'], mounts: [V2], files: {} },
    { memoryBytes: Infinity, cores: Infinity },
  ],
}

test('the smallest control group limit on the path of this process counts', () => {
  for (const [name, [given, expected]] of Object.entries(CASES))
    assert.deepEqual(withFileSystem(given, readCgroupLimits), expected, name)
})

test('a system without /proc has no control group limits', () => {
  const none = { memoryBytes: Infinity, cores: Infinity }
  assert.deepEqual(readCgroupLimits(join(tmpdir(), 'no-such-folder')), none)
})

test('the size of the machine is the limit of the container, with a fraction of a core', () => {
  const container = {
    groups: ['0::/'],
    mounts: [V2],
    files: {
      'sys/fs/cgroup/memory.max': String(256 * 1024 ** 2),
      'sys/fs/cgroup/cpu.max': '50000 100000',
    },
  }
  assert.deepEqual(withFileSystem(container, readMachineSize), { memoryMb: 256, cores: 0.5 })
})
