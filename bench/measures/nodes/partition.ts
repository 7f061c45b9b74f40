import { spawnSync } from 'node:child_process'
import {
  openDatabaseProxy,
  type DatabaseProxy,
} from '../../../test/support/database/database-proxy.ts'
import type { ClusterOptions } from '../../../faults/cluster/cluster.ts'

/** Set in the process that runs in its own network namespace. */
const IN_NAMESPACE = 'BENCH_IN_NAMESPACE'
/** The affected node reaches the database under this address. The other nodes use 127.0.0.1. */
const CUT_ADDRESS = '127.0.0.2'

export type Partition = AsyncDisposable & {
  how: string
  clusterOptions: ClusterOptions
  drop(): void
  restore(): void
}

/** True if this process may create a network namespace and drop packets in it. */
function canDropPackets(): boolean {
  const script = `ip link set lo up && ${ruleOf('-A', 'INPUT', '-s')}`
  return process.getuid?.() === 0 && runQuietly('unshare', ['-n', 'sh', '-c', script])
}

/** Runs the same command in its own network namespace, if that is allowed. False if it must run here. */
export function runInNamespace(args: readonly string[]): boolean {
  if (process.env[IN_NAMESPACE] !== undefined || !canDropPackets()) return false
  const script = 'ip link set lo up && exec "$@"'
  const command = [process.execPath, ...process.execArgv, process.argv[1] ?? '', ...args]
  const { status } = spawnSync('unshare', ['-n', 'sh', '-c', script, 'sh', ...command], {
    stdio: 'inherit',
    env: { ...process.env, [IN_NAMESPACE]: '1' },
  })
  if (status !== 0) process.exitCode = 1
  return true
}

export async function openPartition(nodeIndex: number): Promise<Partition> {
  if (process.env[IN_NAMESPACE] !== undefined) return openNamespacePartition(nodeIndex)
  let link: DatabaseProxy | null = null
  return {
    how: 'a proxy that forwards nothing',
    clusterOptions: {
      async databaseUrl(i, { url }) {
        if (i !== nodeIndex) return url()
        link = await openDatabaseProxy(url())
        return url(link.port)
      },
    },
    drop: () => link?.stopForwarding(),
    restore: () => link?.resumeForwarding(),
    [Symbol.asyncDispose]: async () => link?.[Symbol.asyncDispose](),
  }
}

/** All nodes are in one namespace. Packets to and from the affected node's address are dropped. */
function openNamespacePartition(nodeIndex: number): Partition {
  const change = (how: '-A' | '-D') => {
    const rules = [ruleOf(how, 'INPUT', '-s'), ruleOf(how, 'INPUT', '-d')]
    for (const rule of rules)
      if (!runQuietly('sh', ['-c', rule])) throw new Error(`failed to change packets: ${rule}`)
  }
  return {
    how: 'packets dropped in a network namespace',
    clusterOptions: {
      serverOptions: { listen_addresses: `127.0.0.1,${CUT_ADDRESS}` },
      databaseUrl: async (i, { url, port }) => (i === nodeIndex ? url(port, CUT_ADDRESS) : url()),
    },
    drop: () => change('-A'),
    restore: () => change('-D'),
    [Symbol.asyncDispose]: async () => undefined,
  }
}

function ruleOf(how: '-A' | '-D', chain: string, end: '-s' | '-d'): string {
  return `iptables ${how} ${chain} ${end} ${CUT_ADDRESS} -j DROP`
}

function runQuietly(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}
